import { notifyEndpoint } from '../src/app/endpoint/notify-endpoint.ts';
import { topic } from '../src/aws/messages/topic.ts';
import { endpointScope } from './runtime/endpoint-scope.ts';
import { readEnv } from './runtime/env.ts';
import { step } from './runtime/step.ts';

/** States `NotifyEndpoint` and `NotifyFailure` of statemachines/endpoint.asl.yml. */
export const handler = step(notifyEndpoint, () => {
  const { BUCKET_NAME, TOPIC_ARN } = readEnv('BUCKET_NAME', 'TOPIC_ARN');
  return { store: { bucket: BUCKET_NAME }, topic: topic({ arn: TOPIC_ARN }), scope: endpointScope() };
});
