import { checkTraining } from '../src/app/training/check-training.ts';
import { trainingLogs } from '../src/aws/logs/training-log.ts';
import { trainingJobs } from '../src/aws/sagemaker/training-jobs.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** State `CheckTraining` of statemachines/training.asl.yml. */
export const handler = step(checkTraining, () => ({
  store: bucket(),
  training: trainingJobs(),
  logs: trainingLogs,
  clock: now,
}));
