import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { secondaryStatus } from '../training/describe-job.ts';
import { TrainingJobStatus } from '../training/training-job-record.ts';

/** Newest first, ten at a time by default. With `StatusEquals` the page is cut first and filtered then, as in AWS. */
export const listTrainingJobs = (state: SageMakerState) =>
  action('ListTrainingJobs', {
    input: ListInput.extend({
      LastModifiedTimeAfter: z.number().optional(),
      LastModifiedTimeBefore: z.number().optional(),
      SortBy: z.enum(['Name', 'CreationTime', 'Status']).optional(),
      StatusEquals: TrainingJobStatus.optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const direction = input.SortOrder === 'Ascending' ? 1 : -1;
      const jobs = [...state.trainingJobs.values()]
        .filter((job) => job.input.TrainingJobName.includes(input.NameContains ?? ''))
        .filter((job) => isWithin(job.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
        .filter((job) =>
          isWithin(job.lastModifiedTimeMs, input.LastModifiedTimeAfter, input.LastModifiedTimeBefore),
        )
        .sort((a, b) => {
          const byName = a.input.TrainingJobName < b.input.TrainingJobName ? -1 : 1;
          if (input.SortBy === 'Name') return direction * byName;
          if (input.SortBy === 'Status')
            return direction * (a.status < b.status ? -1 : a.status > b.status ? 1 : byName);
          return direction * (a.creationTimeMs - b.creationTimeMs || byName);
        });
      const page = cutPage(jobs, input, (job) => job.input.TrainingJobName);
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
