import { afterEach, expect, test } from 'vitest';
import {
  FunctionError,
  type LocalStates,
  localStates,
} from '../../packages/laptop/test/support/local-states.ts';
import { manualClock } from '../../packages/laptop/test/support/manual-clock.ts';
import { memoryMapObjects } from '../../packages/laptop/test/support/memory-map-objects.ts';
import { settleDrop } from '../../src/app/drop/settle-drop.ts';
import { planRun } from '../../src/app/plan/plan-run.ts';
import { foldPredictions } from '../../src/app/report/fold-predictions.ts';
import { notify } from '../../src/app/report/notify.ts';
import { writeReport } from '../../src/app/report/write-report.ts';
import { cleanUpRun } from '../../src/app/run/clean-up-run.ts';
import { checkTransform } from '../../src/app/transform/check-transform.ts';
import { prepareModel } from '../../src/app/transform/prepare-model.ts';
import { reconcileOutputs } from '../../src/app/transform/reconcile-outputs.ts';
import { startTransform } from '../../src/app/transform/start-transform.ts';
import type { UseCase } from '../../src/app/use-case.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import {
  type DropFixture,
  frozenDrop,
  NOW,
  PARTS,
  PIPELINE,
  RUN,
  SETTINGS,
} from '../support/drop-fixture.ts';
import { inProcessEngine, type InProcessEngineOptions, USD_EACH } from '../support/in-process-engine.ts';
import { memoryExecutions } from '../support/memory-executions.ts';
import { memoryTopic } from '../support/memory-topic.ts';
import { memoryTrainingJobs } from '../support/memory-training-jobs.ts';
import { noEngine, noLogs, notPrepared } from '../support/no-engine.ts';
import { readMachine } from '../support/read-machine.ts';
import { tellingFailures } from '../support/telling-failures.ts';

let stack: LocalStates | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

const TRUTH = { classes: ['circle', 'square'], truth: { from: 'folder' } };
const FILES = Object.fromEntries(
  ['circle/a', 'circle/b', 'circle/c', 'square/d', 'square/e'].map((name) => [`${name}.png`, 9] as const),
);
/** A model that takes everything for a circle. */
const circle = (): string => '{"predictions": [[0.9, 0.1]]}';

type Any = UseCase<any, any, any>;

/** The state machine batch-inference over the use cases themselves, with an engine of this process in the place of SageMaker. */
async function runOn(engine: Omit<InProcessEngineOptions, 'store' | 'clock'>, fixture: DropFixture = {}) {
  const store = await frozenDrop({ files: FILES, pipeline: { ...PIPELINE, labels: TRUTH }, ...fixture });
  const time = manualClock(NOW.getTime());
  const clock = () => new Date(time.now());
  const topic = memoryTopic();
  const executions = () => memoryExecutions({ clock });
  const inProcess = inProcessEngine({ store, clock, ...engine });
  const services = {
    store,
    clock,
    topic,
    executions,
    settings: SETTINGS,
    newId: () => crypto.randomUUID(),
    engines: { sagemaker: inProcess, lambda: noEngine },
    prepare: { sagemaker: inProcess.prepare, lambda: notPrepared },
    logs: { sagemaker: inProcess.logs, lambda: noLogs },
    training: memoryTrainingJobs(),
    failureReports: tellingFailures({ store, topic, clock }),
  };
  const objects = new Map<string, string>();
  let atWork = 0;
  const called: string[] = [];
  const steps: Record<string, [Any, object?]> = {
    'settle-drop': [settleDrop],
    'plan-run': [planRun],
    'prepare-model': [prepareModel],
    'start-transform': [startTransform],
    'check-transform': [checkTransform],
    // Its `settings` are of comparing.
    'reconcile-outputs': [reconcileOutputs, { settings: {} }],
    'fold-predictions': [foldPredictions],
    'write-report': [writeReport],
    notify: [notify],
  };
  const functions = Object.fromEntries(
    Object.entries(steps).map(([name, [useCase, own]]) => [
      name,
      async (payload: unknown) => {
        called.push(name);
        atWork += 1;
        try {
          const answer = await useCase(useCase.input.parse(payload), { ...services, ...own });
          const shards = store.text(bucketLayout.shards(PARTS));
          if (shards !== undefined) objects.set(`bucket/${bucketLayout.shards(PARTS)}`, shards);
          return useCase.output.parse(answer);
        } catch (error) {
          throw error instanceof Error ? new FunctionError(error.name, error.message) : error;
        } finally {
          atWork -= 1;
        }
      },
    ]),
  );
  stack = await localStates({ clock: time, objects: memoryMapObjects(objects), functions });
  const definition = await readMachine('batch-inference', { BucketName: 'bucket', FoldConcurrency: '4' });
  const arn = await stack.start(await stack.machine('batch-inference', definition), { schema: 1, run: RUN });
  const step = async () => {
    while (atWork > 0) await new Promise((resolve) => setImmediate(resolve));
    await time.advance(1000);
    return stack!.describe(arn);
  };
  const toEnd = async () => {
    let execution = await step();
    while (execution.status === 'RUNNING') execution = await step();
    return execution;
  };
  const report = () => Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
  return { store, services, engine: inProcess, called, step, toEnd, report, topic };
}

test('a run goes from its plan to its report on an engine that is not SageMaker', async () => {
  const run = await runOn({ predict: circle });
  expect(await run.toEnd()).toMatchObject({ status: 'SUCCEEDED' });
  const report = run.report();
  expect(report).toMatchObject({ status: 'completed', total: 5, records: 5, correct: 3, errors: 0 });
  expect(report.costUsd).toBeCloseTo(5 * USD_EACH, 6);
  expect(report.jobs).toMatchObject([{ status: 'Completed', objects: 5, costUsd: 5 * USD_EACH }]);
  expect(run.topic.messages).toHaveLength(1);
  // Two inputs between two looks: the job is looked at until it has ended.
  expect(run.engine.calls).toEqual(['prepare', 'start', 'look', 'look', 'look']);
});

test('a run waits until the engine is free, and goes on where hardware is missing', async () => {
  const transform = { instanceTypes: ['ml.m5.xlarge', 'ml.c5.xlarge'] };
  const pipeline = { ...PIPELINE, labels: TRUTH, transform };
  const run = await runOn({ predict: circle, busyStarts: 3, without: ['ml.m5.xlarge'] }, { pipeline });
  expect(await run.toEnd()).toMatchObject({ status: 'SUCCEEDED' });
  expect(run.called.filter((name) => name === 'start-transform')).toHaveLength(5);
  expect(run.report().jobs).toMatchObject([
    { status: 'Failed', costUsd: 0, failureReason: 'none is left' },
    { status: 'Completed', hardware: '1 × ml.c5.xlarge', costUsd: 5 * USD_EACH },
  ]);
});

test('what an engine did not answer is asked once more, and then told', async () => {
  const predict = (key: string, attempt: number) =>
    key.endsWith('e.png') || (key.endsWith('b.png') && attempt === 1) ? undefined : circle();
  const run = await runOn({ predict });
  expect(await run.toEnd()).toMatchObject({ status: 'SUCCEEDED' });
  const report = run.report();
  expect(report).toMatchObject({ status: 'completed-with-errors', total: 5, records: 4, errors: 1 });
  expect(report.jobs.map(({ objects, status }) => [objects, status])).toEqual([
    [5, 'Failed'],
    [2, 'Failed'],
  ]);
  expect(report.costUsd).toBeCloseTo(7 * USD_EACH, 6);
  expect(report.failures).toMatchObject([
    {
      key: 'incoming/shapes/monday/square/e.png',
      detail: expect.stringMatching(/^attempt 2 did not know it \(/),
    },
  ]);
  expect(report.setup?.runtimes).toEqual(['this process']);
});

test('an engine whose hardware is nowhere to be had fails the run by its own words', async () => {
  const run = await runOn({ predict: circle, without: ['ml.m5.xlarge'] });
  expect(await run.toEnd()).toMatchObject({ status: 'FAILED', error: 'InstanceCapacity' });
  expect(run.report()).toMatchObject({ status: 'failed', failure: { error: 'InstanceCapacity' } });
});

test('a job that costs more than the run may is stopped, and what it has answered is scored', async () => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`circle/${at}.png`, 9] as const));
  const pipeline = { ...PIPELINE, labels: TRUTH, limits: { maxCostUsd: 10 * USD_EACH } };
  const run = await runOn({ predict: circle }, { files, pipeline });
  expect(await run.toEnd()).toMatchObject({ status: 'SUCCEEDED' });
  const report = run.report();
  // A running job may exceed a limit by a fifth.
  expect(report.records).toBe(12);
  expect(report.costUsd).toBeCloseTo(12 * USD_EACH, 6);
  expect(run.engine.calls).toContain('stop');
});

test('the job of an execution that was aborted is stopped', async () => {
  const run = await runOn({ predict: circle, pace: 1 });
  while (!run.engine.calls.includes('look')) await run.step();
  const detail = {
    executionArn: 'arn:aws:states:us-east-1:000000000000:execution:batch-inference:x',
    status: 'ABORTED' as const,
    input: JSON.stringify({ schema: 1, run: RUN }),
    startDate: NOW.getTime(),
  };
  const { jobName } = JSON.parse(run.store.text(bucketLayout.job(PARTS, 1))!);
  expect(await cleanUpRun({ detail }, run.services)).toMatchObject({ stopped: [jobName] });
  expect(run.engine.calls.at(-1)).toBe('stop');
});
