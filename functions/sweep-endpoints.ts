import { sweepEndpoints } from '../src/app/endpoint/sweep-endpoints.ts';
import { invocationMetrics } from '../src/aws/account/invocation-metrics.ts';
import { topic } from '../src/aws/messages/topic.ts';
import { executions } from '../src/aws/states/executions.ts';
import { measureSweep } from '../src/run/measure-sweep.ts';
import { allEndpoints } from './runtime/all-endpoints.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { readEnv } from './runtime/env.ts';
import { logger } from './runtime/logger.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Every quarter of an hour: endpoints that have expired or are idle, or were left half changed. */
export const handler = step(
  sweepEndpoints,
  () => {
    const { ENDPOINT_MACHINE_ARN, TOPIC_ARN } = readEnv('ENDPOINT_MACHINE_ARN', 'TOPIC_ARN');
    return {
      store: bucket(),
      endpoints: allEndpoints(),
      metrics: invocationMetrics(),
      topic: topic({ arn: TOPIC_ARN }),
      executions: executions({ stateMachineArn: ENDPOINT_MACHINE_ARN }),
      clock: now,
      scope: endpointScope(),
      warn: (message: string, facts: Readonly<Record<string, unknown>>) =>
        logger.error('ENDPOINT_SWEEP_FAILED', { message, ...facts }),
    };
  },
  counted(async (_input, swept) => measureSweep('endpoints', swept)),
);
