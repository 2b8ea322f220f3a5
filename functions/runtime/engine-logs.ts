import type { LogsByEngine } from '../../src/app/engine/engine-logs.ts';
import { sageMakerLogs } from '../../src/app/engine/sagemaker/sagemaker-logs.ts';
import { jobLogs } from '../../src/aws/logs/job-log.ts';

/** Logs of this stack's jobs. */
export function engineLogs(): LogsByEngine {
  return { sagemaker: sageMakerLogs(jobLogs) };
}
