import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import { onOne } from '../asked-of-role.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Asks a job to stop: `Stopping` at once, `Stopped` when its hosts have ended and what they left is uploaded. */
export const stopTrainingJob = (state: SageMakerState) =>
  action('StopTrainingJob', {
    input: z.strictObject({ TrainingJobName }),
    permissions: onOne(state, 'training-job'),
    run: ({ TrainingJobName: name }) => {
      const { status } = requireTrainingJob(state, name);
      if (status === 'Stopping') return;
      if (status !== 'InProgress') {
        throw validationException(
          `The request was rejected because the training job is in status ${status}.`,
        );
      }
      state.runningTrainings.stop(name);
    },
  });
