import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { requireJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TransformJobName } from '../transform-job-record.ts';

/** Echoes the request with the service's defaults; payload, concurrency and strategy have no default and stay absent if not given. */
export const describeTransformJob = (state: SageMakerState) =>
  action('DescribeTransformJob', {
    input: z.strictObject({ TransformJobName }),
    permissions: onOne(state, 'transform-job'),
    run: (asked) => {
      const job = requireJob(state, asked.TransformJobName);
      const { Tags: _tags, ...input } = job.input;
      return {
        ...input,
        TransformJobArn: job.arn,
        TransformJobStatus: job.status,
        FailureReason: job.failureReason,
        TransformInput: { CompressionType: 'None', SplitType: 'None', ...input.TransformInput },
        TransformOutput: { AssembleWith: 'None', KmsKeyId: '', ...input.TransformOutput },
        DataProcessing: { InputFilter: '$', OutputFilter: '$', JoinSource: 'None', ...input.DataProcessing },
        CreationTime: new Date(job.creationTimeMs),
        TransformStartTime: toDate(job.transformStartTimeMs),
        TransformEndTime: toDate(job.transformEndTimeMs),
      };
    },
  });

function toDate(timeMs: number | undefined): Date | undefined {
  return timeMs === undefined ? undefined : new Date(timeMs);
}
