import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { parseInput } from '../parse-input.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Asks a job to stop: `Stopping` at once, `Stopped` when its hosts have ended and what they left is uploaded. */
export function stopTrainingJob(state: SageMakerState, body: unknown): void {
  const { TrainingJobName: name } = parseInput(z.strictObject({ TrainingJobName }), body);
  const { status } = requireTrainingJob(state, name);
  if (status === 'Stopping') return;
  if (status !== 'InProgress') {
    throw new AwsError(
      'ValidationException',
      `The request was rejected because the training job is in status ${status}.`,
    );
  }
  state.runningTrainings.stop(name);
}
