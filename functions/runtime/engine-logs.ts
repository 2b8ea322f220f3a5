import type { LogsByEngine } from '../../src/app/engine/engine-logs.ts';
import { lambdaLogs } from '../../src/app/engine/lambda/lambda-logs.ts';
import { sageMakerLogs } from '../../src/app/engine/sagemaker/sagemaker-logs.ts';
import { jobLogs } from '../../src/aws/logs/job-log.ts';
import { bucket } from './services.ts';

/** Logs of this stack's jobs, as far as reports read them. */
export function engineLogs(): LogsByEngine {
  return {
    sagemaker: sageMakerLogs(jobLogs),
    // A report reads no line of the function's log, which has nothing on inputs.
    lambda: lambdaLogs({ store: bucket(), lines: async function* () {} }),
  };
}
