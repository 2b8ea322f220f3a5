import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { describeJob } from '../training/describe-job.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Echoes the request, with how far the job has come. */
export const describeTrainingJob = (state: SageMakerState) =>
  action('DescribeTrainingJob', {
    input: z.strictObject({ TrainingJobName }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) =>
      describeJob(requireTrainingJob(state, name), (timeMs) => new Date(timeMs)),
  });
