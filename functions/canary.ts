import { canary, CanaryInput, CanaryOutput, measureCanary } from '../src/app/verify/canary.ts';
import { bucket } from './runtime/bucket.ts';
import { now } from './runtime/now.ts';
import { step } from './runtime/step.ts';

/** Every hour, where the stack has a canary: drops files once a day, then judges their run. */
export const handler = step({
  input: CanaryInput,
  output: CanaryOutput,
  services: () => ({ store: bucket(), clock: now }),
  run: canary,
  measure: async (_input, judged) => measureCanary(judged),
});
