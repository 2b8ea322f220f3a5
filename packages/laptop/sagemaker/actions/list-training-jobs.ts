import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { ListChangingInput, listPage } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { secondaryStatus } from '../training/describe-job.ts';
import { TrainingJobStatus } from '../training/training-job-record.ts';

/** Newest first, ten at a time by default. With `StatusEquals` the page is cut first and filtered then, as in AWS. */
export const listTrainingJobs = (state: SageMakerState) =>
  action('ListTrainingJobs', {
    input: ListChangingInput.extend({ StatusEquals: TrainingJobStatus.optional() }),
    permissions: onAll,
    run: (input) => {
      const page = listPage(state.trainingJobs.values(), input, (job) => ({
        ...job,
        name: job.input.TrainingJobName,
      }));
      return {
        TrainingJobSummaries: page.items
          .filter((job) => input.StatusEquals === undefined || job.status === input.StatusEquals)
          .map((job) => ({
            TrainingJobName: job.input.TrainingJobName,
            TrainingJobArn: job.arn,
            CreationTime: new Date(job.creationTimeMs),
            TrainingEndTime:
              job.trainingEndTimeMs === undefined ? undefined : new Date(job.trainingEndTimeMs),
            LastModifiedTime: new Date(job.lastModifiedTimeMs),
            TrainingJobStatus: job.status,
            SecondaryStatus: secondaryStatus(job),
          })),
        NextToken: page.nextToken,
      };
    },
  });
