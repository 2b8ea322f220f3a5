import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onAll } from '../asked-of-role.ts';
import { cutPage, isWithin, ListInput } from '../list-page.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TransformJobStatus } from '../transform-job-record.ts';

/** Jobs, by default newest first, ten at a time. */
export const listTransformJobs = (state: SageMakerState) =>
  action('ListTransformJobs', {
    input: ListInput.extend({
      LastModifiedTimeAfter: z.number().optional(),
      LastModifiedTimeBefore: z.number().optional(),
      SortBy: z.enum(['Name', 'CreationTime', 'Status']).optional(),
      StatusEquals: TransformJobStatus.optional(),
    }),
    permissions: onAll,
    run: (input) => {
      const direction = input.SortOrder === 'Ascending' ? 1 : -1;
      const jobs = [...state.jobs.values()]
        .filter((job) => job.input.TransformJobName.includes(input.NameContains ?? ''))
        .filter((job) => input.StatusEquals === undefined || job.status === input.StatusEquals)
        .filter((job) => isWithin(job.creationTimeMs, input.CreationTimeAfter, input.CreationTimeBefore))
        .filter((job) =>
          isWithin(job.lastModifiedTimeMs, input.LastModifiedTimeAfter, input.LastModifiedTimeBefore),
        )
        .sort((a, b) => {
          const byName = a.input.TransformJobName < b.input.TransformJobName ? -1 : 1;
          if (input.SortBy === 'Name') return direction * byName;
          if (input.SortBy === 'Status')
            return direction * (a.status < b.status ? -1 : a.status > b.status ? 1 : byName);
          return direction * (a.creationTimeMs - b.creationTimeMs || byName);
        });
      const page = cutPage(jobs, input, (job) => job.input.TransformJobName);
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
