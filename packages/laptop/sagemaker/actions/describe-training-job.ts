import * as z from 'zod';
import { parseInput } from '../parse-input.ts';
import { requireTrainingJob } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { describeJob } from '../training/describe-job.ts';
import { TrainingJobName } from '../training/training-job-record.ts';

/** Echoes the request, with how far the job has come. */
export function describeTrainingJob(state: SageMakerState, body: unknown): Record<string, unknown> {
  const { TrainingJobName: name } = parseInput(z.strictObject({ TrainingJobName }), body);
  return describeJob(requireTrainingJob(state, name), (timeMs) => new Date(timeMs));
}
