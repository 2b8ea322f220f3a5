import { canary, measureCanary } from '../src/app/verify/canary.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';

/** Every hour, if the stack has a canary: drops files once a day, then judges their run. */
export const handler = step(
  canary,
  () => ({ store: bucket(), clock: now }),
  counted(async (_input, judged) => measureCanary(judged)),
);
