import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TransformJobStatus } from '../transform-job-record.ts';

/** Jobs, by default newest first, ten at a time. */
export const listTransformJobs = (state: SageMakerState) =>
  action('ListTransformJobs', {
    input: ListChangingInput.extend({ StatusEquals: TransformJobStatus.optional() }),
    permissions: onAll,
    run: (input) => {
      const jobs = [...state.jobs.values()].filter(({ status }) => status === (input.StatusEquals ?? status));
      const page = listPage(jobs, input, (job) => ({ ...job, name: job.input.TransformJobName }));
      return {
        TransformJobSummaries: page.items.map((job) => ({
          TransformJobName: job.input.TransformJobName,
          TransformJobArn: job.arn,
          CreationTime: new Date(job.creationTimeMs),
          TransformEndTime:
            job.transformEndTimeMs === undefined ? undefined : new Date(job.transformEndTimeMs),
          LastModifiedTime: new Date(job.lastModifiedTimeMs),
          TransformJobStatus: job.status,
          FailureReason: job.failureReason,
        })),
        NextToken: page.nextToken,
      };
    },
  });
