import { awaitLeftJobs } from '../src/app/run/await-left-jobs.ts';
import { trainingJobs } from '../src/aws/sagemaker/training-jobs.ts';
import { engines } from './runtime/engines.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `AwaitLeftJobs` of statemachines/report-failure.asl.yml. */
export const handler = step(awaitLeftJobs, () => ({
  store: bucket(),
  engines: engines(),
  training: trainingJobs(),
  clock: now,
}));
