import type { LogsByEngine } from '../app/engine/engine-logs.ts';
import { lambdaLogs } from '../app/engine/lambda/lambda-logs.ts';
import { sageMakerLogs } from '../app/engine/sagemaker/sagemaker-logs.ts';
import { jobLogs } from '../aws/logs/job-log.ts';
import { logEvents } from '../aws/logs/log-events.ts';
import type { Application } from './application.ts';

/** Logs of the jobs of a deployment, read with the caller's permissions. */
export function logsOf({
  store,
  endpointPrefix,
}: Pick<Application, 'store' | 'endpointPrefix'>): LogsByEngine {
  // Functions of a stack have the prefix of its endpoints.
  const logGroupName = `/aws/lambda/${endpointPrefix}-predict-shard`;
  return {
    sagemaker: sageMakerLogs(jobLogs),
    lambda: lambdaLogs({
      store,
      lines: (since, mayRead) => logEvents({ logGroupName, startTime: since.getTime() }, mayRead),
    }),
  };
}
