import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { parseInput } from '../parse-input.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Forgets a job that has ended; its name is free again, its objects stay. */
export function deleteTrainingJob(state: SageMakerState, body: unknown): void {
  const { TrainingJobName: name } = parseInput(z.strictObject({ TrainingJobName }), body);
  const { status } = requireTrainingJob(state, name);
  if (status === 'InProgress' || status === 'Stopping')
    throw new AwsError('ResourceInUse', `Training job ${name} cannot be deleted in status ${status}`);
  state.trainingJobs.delete(name);
}
