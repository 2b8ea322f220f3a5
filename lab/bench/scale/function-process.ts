import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { settleDrop } from '../../../src/app/drop/settle-drop.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { objectStore } from '../../../src/aws/s3/s3-object-store.ts';
import { SETTINGS } from '../../../test/support/drop-fixture.ts';
import { memoryEngineLogs } from '../../../test/support/memory-engine-logs.ts';
import { BUCKET } from './synthetic-run.ts';

/** One function, as its Lambda runs it: called by messages, answers with what it has used. */
const store = objectStore({ bucket: BUCKET });
const clock = () => new Date();
const newId = () => crypto.randomUUID();
const settings = { ...SETTINGS, readBuckets: [] };
// The machine hands on what the step before gave.
const steps: Record<string, (input: unknown) => Promise<unknown>> = {
  'settle-drop': (input) => settleDrop(settleDrop.input.parse(input), { store, clock, settings, newId }),
  'plan-run': (input) => planRun(planRun.input.parse(input), { store, clock, settings }),
  'reconcile-outputs': (input) =>
    reconcileOutputs(reconcileOutputs.input.parse(input), { store, clock, newId }),
  'fold-predictions': (input) => foldPredictions(foldPredictions.input.parse(input), { store, imageFacts }),
  'write-report': (input) =>
    writeReport(writeReport.input.parse(input), { store, clock, logs: memoryEngineLogs(), thumbnail }),
};
const step = steps[process.argv[2] ?? ''];
process.on('message', ({ input }: any) => {
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return { cpuSeconds: (user + system) / 1e6, peakMiB: process.resourceUsage().maxRSS / 1024 };
  };
  step?.(input).then(
    (answer) => process.send?.({ answer, ...used() }),
    (error: unknown) => process.send?.({ error: String(error), ...used() }),
  );
});
process.on('disconnect', () => process.exit());
