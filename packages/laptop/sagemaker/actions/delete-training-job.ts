import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Forgets a job that has ended; its name is free again, its objects stay. */
export const deleteTrainingJob = (state: SageMakerState) =>
  action('DeleteTrainingJob', {
    input: z.strictObject({ TrainingJobName }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) => {
      const { status } = requireTrainingJob(state, name);
      if (status === 'InProgress' || status === 'Stopping')
        throw new AwsError('ResourceInUse', `Training job ${name} cannot be deleted in status ${status}`);
      state.trainingJobs.delete(name);
    },
  });
