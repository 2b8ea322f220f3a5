import { sweep, SweepInput, SweepOutput } from '../src/app/run/sweep.ts';
import { logger } from './runtime/logger.ts';
import { settlingServices } from './runtime/settling.ts';
import { step } from './runtime/step.ts';

/** Once a day: runs that lost their execution without an event. */
export const handler = step({
  input: SweepInput,
  output: SweepOutput,
  services: () => ({
    ...settlingServices(),
    warn: (message: string, facts: Readonly<Record<string, unknown>>) =>
      logger.error('SWEEP_FAILED', { message, ...facts }),
  }),
  run: sweep,
});
