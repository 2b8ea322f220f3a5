import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { parseInput } from '../parse-input.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import { TransformJobName } from '../transform-job-record.ts';

/** Asks a job to stop: `Stopping` at once, `Stopped` when its containers have gone. */
export function stopTransformJob(state: SageMakerState, body: unknown): void {
  const { TransformJobName: name } = parseInput(z.strictObject({ TransformJobName }), body);
  const job = state.jobs.get(name);
  if (!job) throw new AwsError('ValidationException', `Could not find job to update with name ${name}`);
  if (job.status === 'Stopping') return;
  if (job.status !== 'InProgress') {
    throw new AwsError(
      'ValidationException',
      `The request was rejected because the transform job is in status ${job.status}.`,
    );
  }
  state.running.stop(name);
}
