import { notifyEndpoint } from '../src/app/endpoint/notify-endpoint.ts';
import { topic } from '../src/aws/messages/topic.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { readEnv } from './runtime/env.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** States `NotifyEndpoint` and `NotifyFailure` of statemachines/endpoint.asl.yml. */
export const handler = step(notifyEndpoint, () => {
  const { TOPIC_ARN } = readEnv('TOPIC_ARN');
  return { store: bucket(), topic: topic({ arn: TOPIC_ARN }), clock: now, scope: endpointScope() };
});
