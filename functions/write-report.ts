import { measureRun } from '../src/app/report/measure-run.ts';
import { writeReport } from '../src/app/report/write-report.ts';
import { engineLogs } from './runtime/engine-logs.ts';
import { counted } from './runtime/metrics.ts';
import { bucket, now } from './runtime/services.ts';
import { step } from './runtime/step.ts';
import { thumbnail } from './runtime/thumbnail.ts';

/** States `WriteReport` and `ReportFailure` of statemachines/batch-inference.asl.yml. */
export const handler = step(
  writeReport,
  () => ({ store: bucket(), clock: now, logs: engineLogs(), thumbnail }),
  counted(({ run, startedAt }, _written, { store, clock }) =>
    measureRun(store, run, (clock().getTime() - Date.parse(startedAt)) / 1000),
  ),
);
