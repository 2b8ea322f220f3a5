import { checkTraining } from '../src/app/training/check-training.ts';
import { trainingJobs } from '../src/aws/training-jobs.ts';
import { trainingLogs } from '../src/aws/training-log.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** State `CheckTraining` of statemachines/training.asl.yml. */
export const handler = step(checkTraining, () => ({
  store: bucket(),
  training: trainingJobs(),
  logs: trainingLogs,
  clock: now,
}));
