import type { BusEvent } from '../../kernel/ports.ts';
import { describeJob } from './describe-job.ts';
import type { TrainingJobRecord } from './training-job-record.ts';

/** `SageMaker Training Job State Change`: the job as it is described, with times in epoch milliseconds. */
export function toTrainingEvent(job: TrainingJobRecord): BusEvent {
  const tags = Object.fromEntries((job.input.Tags ?? []).map(({ Key, Value }) => [Key, Value]));
  return {
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Training Job State Change',
    resources: [job.arn],
    timeMs: job.lastModifiedTimeMs,
    detail: { ...describeJob(job, (timeMs) => timeMs), Tags: tags },
  };
}
