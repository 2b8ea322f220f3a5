import { canary, measureCanary } from '../src/app/verify/canary.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** Every hour, where the stack has a canary: drops files once a day, then judges their run. */
export const handler = step(
  canary,
  () => ({ store: bucket(), clock: now }),
  async (_input, judged) => measureCanary(judged),
);
