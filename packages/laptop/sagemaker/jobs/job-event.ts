import type { BusEvent } from '../../kernel/ports.ts';
import type { TransformJobRecord } from '../transform-job-record.ts';

/** `SageMaker Transform Job State Change`, with times in epoch milliseconds as production consumers find them. */
export function toJobEvent({ arn, status, failureReason, input, ...times }: TransformJobRecord): BusEvent {
  return {
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Transform Job State Change',
    resources: [arn],
    timeMs: times.lastModifiedTimeMs,
    detail: defined({
      TransformJobName: input.TransformJobName,
      TransformJobArn: arn,
      TransformJobStatus: status,
      FailureReason: failureReason,
      ModelName: input.ModelName,
      MaxConcurrentTransforms: input.MaxConcurrentTransforms,
      MaxPayloadInMB: input.MaxPayloadInMB,
      BatchStrategy: input.BatchStrategy,
      Environment: input.Environment ?? {},
      TransformInput: input.TransformInput,
      TransformOutput: input.TransformOutput,
      TransformResources: input.TransformResources,
      CreationTime: times.creationTimeMs,
      TransformStartTime: times.transformStartTimeMs,
      TransformEndTime: times.transformEndTimeMs,
      Tags: Object.fromEntries((input.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
    }),
  };
}

/** An event leaves out members that the request left out. */
function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
