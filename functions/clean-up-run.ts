import { cleanUpRun } from '../src/app/run/clean-up-run.ts';
import { measureRunEnd } from '../src/app/run/measure-run-end.ts';
import { cleanUpServices } from './runtime/clean-up.ts';
import { counted } from './runtime/metrics.ts';
import { step } from './runtime/step.ts';

/** "Step Functions Execution Status Change" of executions that failed, timed out or were stopped. */
export const handler = step(
  cleanUpRun,
  cleanUpServices,
  counted(async ({ detail }, _cleaned, { store }) => measureRunEnd(store, detail)),
);
