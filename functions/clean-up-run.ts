import { cleanUpRun } from '../src/app/run/clean-up-run.ts';
import { measureRunEnd } from '../src/app/run/measure-run-end.ts';
import { cleanUpServices } from './runtime/clean-up.ts';
import { step } from './runtime/step.ts';

/** "Step Functions Execution Status Change" of executions that failed, timed out or were stopped. */
export const handler = step(cleanUpRun, cleanUpServices, async ({ detail }, _cleaned, { store }) =>
  measureRunEnd(store, detail),
);
