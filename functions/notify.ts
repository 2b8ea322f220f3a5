import { notify } from '../src/app/report/notify.ts';
import { topic } from '../src/aws/messages/topic.ts';
import { env } from './runtime/env.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** States `Notify` and `NotifyFailure` of statemachines/batch-inference.asl.yml. */
export const handler = step(notify, () => ({
  store: bucket(),
  topic: topic({ arn: env('TOPIC_ARN') }),
  clock: now,
}));
