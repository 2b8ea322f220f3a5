import { trainingJobs } from '../../src/aws/sagemaker/training-jobs.ts';
import { executions } from '../../src/aws/states/executions.ts';
import { env } from './env.ts';
import { runExecutions } from './run-executions.ts';
import { bucket, now } from './services.ts';
import { stoppers } from './stoppers.ts';

/** Services for cleaning up after a dead execution: the same for the event of its end and for the daily sweep. */
export function cleanUpServices() {
  return {
    store: bucket(),
    executions: runExecutions(),
    failureReports: executions({ stateMachineArn: env('FAILURE_MACHINE_ARN') }),
    engines: stoppers(),
    training: trainingJobs(),
    clock: now,
  };
}
