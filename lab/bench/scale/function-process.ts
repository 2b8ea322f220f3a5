import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { settleDrop } from '../../../src/app/drop/settle-drop.ts';
import type { Engine } from '../../../src/app/engine/engine.ts';
import { lambdaEngine } from '../../../src/app/engine/lambda/lambda-engine.ts';
import { predictShard } from '../../../src/app/engine/lambda/predict-shard.ts';
import type { PredictingModel } from '../../../src/app/engine/lambda/predicting-model.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { checkTransform } from '../../../src/app/transform/check-transform.ts';
import { reconcileOutputs } from '../../../src/app/transform/reconcile-outputs.ts';
import { objectStore } from '../../../src/aws/s3/s3-object-store.ts';
import { PREDICT_MEMORY_MB } from '../../../src/transform/predict-function.ts';
import { SETTINGS } from '../../../test/support/drop-fixture.ts';
import { memoryEngineLogs } from '../../../test/support/memory-engine-logs.ts';
import { BUCKET, indexOf, outputOf } from './synthetic-run.ts';

/** One function, as its Lambda runs it: called by messages, it answers with the resources it used. */
const store = objectStore({ bucket: BUCKET });
const clock = () => new Date();
const newId = () => crypto.randomUUID();
const settings = { ...SETTINGS, readBuckets: [] };
/** A network that takes no time: what is measured is the function around it. */
const model: PredictingModel = {
  runtime: 'none',
  answer: async ({ body }) => ({
    status: 200,
    body: outputOf(indexOf(Buffer.from(body).toString('latin1', 0, 12))),
  }),
  renewScript: async () => undefined,
};
/** The execution of predict-shards: it runs at the first look, and has ended at the next. */
let looks = 0;
const functions = lambdaEngine({
  store,
  clock,
  executions: {
    arnOf: (name) => name,
    start: async (arn) => ({ outcome: 'started', arn }),
    stop: async () => undefined,
    describe: async (arn) => {
      const endedAt = looks++ > 0 ? clock() : undefined;
      const status = endedAt === undefined ? ('RUNNING' as const) : ('SUCCEEDED' as const);
      return { arn, status, startedAt: clock(), ...(endedAt && { endedAt }) };
    },
  },
});
const engines = { lambda: functions, sagemaker: {} as Engine };
// The machine hands on the previous step's answer.
const steps: Record<string, (input: unknown) => Promise<unknown>> = {
  'settle-drop': (input) => settleDrop(settleDrop.input.parse(input), { store, clock, settings, newId }),
  'plan-run': (input) => planRun(planRun.input.parse(input), { store, clock, settings }),
  'predict-shard': (input) =>
    predictShard(predictShard.input.parse(input), {
      store,
      clock,
      openModel: async () => model,
      memoryMB: PREDICT_MEMORY_MB,
      peakMB: () => 0,
      ticks: () => () => undefined,
      startMs: () => 0,
    }),
  'check-transform': (input) => checkTransform(checkTransform.input.parse(input), { store, clock, engines }),
  'reconcile-outputs': (input) =>
    reconcileOutputs(reconcileOutputs.input.parse(input), { store, clock, newId, logs: memoryEngineLogs() }),
  'fold-predictions': (input) =>
    foldPredictions(foldPredictions.input.parse(input), { store, imageFacts, clock: () => new Date(0) }),
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
