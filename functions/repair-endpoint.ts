import { repairEndpoint } from '../src/app/endpoint/repair-endpoint.ts';
import { topic } from '../src/aws/messages/topic.ts';
import { executions } from '../src/aws/states/executions.ts';
import { measureEnd } from '../src/run/measure-end.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { readEnv } from './runtime/env.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** "Step Functions Execution Status Change" of changes of endpoints that failed, timed out or were stopped. */
export const handler = step(
  repairEndpoint,
  () => {
    const { ENDPOINT_MACHINE_ARN, TOPIC_ARN } = readEnv('ENDPOINT_MACHINE_ARN', 'TOPIC_ARN');
    return {
      store: bucket(),
      topic: topic({ arn: TOPIC_ARN }),
      executions: executions({ stateMachineArn: ENDPOINT_MACHINE_ARN }),
      clock: now,
      scope: endpointScope(),
    };
  },
  counted(async ({ detail }) => measureEnd('deployment', detail)),
);
