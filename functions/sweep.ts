import { sweep } from '../src/app/run/sweep.ts';
import { measureSweep } from '../src/run/measure-sweep.ts';
import { cleanUpServices } from './runtime/clean-up.ts';
import { logger } from './runtime/logger.ts';
import { counted } from './runtime/metrics.ts';
import { step } from './runtime/step.ts';

/** Once a day: runs that lost their execution without an event. */
export const handler = step(
  sweep,
  () => ({
    ...cleanUpServices(),
    warn: (message: string, facts: Readonly<Record<string, unknown>>) =>
      logger.error('SWEEP_FAILED', { message, ...facts }),
  }),
  counted(async (_input, swept) => measureSweep('runs', swept)),
);
