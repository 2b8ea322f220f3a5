import { beforeEach, expect, test } from 'vitest';
import { lambdaEngine } from '../../../src/app/engine/lambda/lambda-engine.ts';
import { openInFunction } from '../../../src/app/engine/lambda/open-in-function.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { planJson } from '../../../src/app/records/plan.ts';
import { shardProgress } from '../../../src/app/records/shards.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { toBundleHead } from '../../../src/transform/output-bundle.ts';
import { MEMORY_HOUR } from '../../../src/transform/predict-function.ts';
import { beginShard } from '../../../src/transform/shard-progress.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { jobRecord } from '../../support/job-record.ts';
import { memoryExecutions } from '../../support/memory-executions.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';

const LIST = 'parts/1';
const RECORD = jobRecord({
  engine: { name: 'lambda', memoryMB: 2048, maxConcurrency: 1 },
  input: `${bucketLayout.run(PARTS)}${LIST}/input.manifest`,
  objects: 3,
});
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

let store: MemoryObjectStore;
beforeEach(async () => {
  store = await frozenDrop({
    pipeline: { ...PIPELINE, transform: { engine: 'lambda', contentType: 'application/json' } },
    files: { 'a.json': 3, 'b.json': 3, 'c.json': 3 },
  });
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
});

/** The job, as it is seen some seconds after its execution was stopped. */
async function stoppedJob(seconds: number) {
  const executions = memoryExecutions({ clock: () => NOW });
  await executions.start(RECORD.jobName, '{}');
  executions.end(RECORD.jobName, 'ABORTED', { error: 'Stopped', cause: 'by ann' });
  const plan = await planJson(PARTS).require(store);
  const engine = lambdaEngine({
    store,
    executions,
    clock: () => after(seconds),
  });
  const seen = (await engine.look({ run: PARTS, plan, record: RECORD }))!;
  const gbSeconds = (seen.costUsd! * 3600) / plan.cost.pricesUsd[MEMORY_HOUR]!;
  return { status: seen.status, gbSeconds: Math.round(gbSeconds), endedAt: seen.endedAt };
}

test('a stopped job goes on while a function is at a bundle, whose time is paid for', async () => {
  const begun = { ...beginShard(3, 2048, NOW), pending: [], trying: [0, 3] as [number, number], ms: 4_000 };
  await shardProgress(PARTS, LIST, 0).write(store, begun);
  expect(await stoppedJob(10)).toEqual({ status: 'Stopping', gbSeconds: 28, endedAt: undefined });

  const head = { inputs: 3, failed: [], ms: 9_000, memoryMB: 2048, runtime: 'onnxruntime 1', isJoint: false };
  const output = bucketLayout.bundleOutput(PARTS, LIST, 0);
  await store.write(output, `${toBundleHead(head)}`);
  expect(await stoppedJob(20)).toMatchObject({ status: 'Stopped', gbSeconds: 18 });
});

test.each([
  ['at its inputs', { pending: [], trying: [0, 3] as [number, number] }],
  ['while it opened the model', { opening: true }],
])(
  'a function that has died %s ends a stopped job after the longest time that it is paid for',
  async (_, at) => {
    await shardProgress(PARTS, LIST, 0).write(store, { ...beginShard(3, 2048, NOW), ...at });
    expect(await stoppedJob(299)).toMatchObject({ status: 'Stopping' });
    expect(await stoppedJob(5_000)).toMatchObject({ status: 'Stopped', gbSeconds: 600 });
  },
);

test('a bundle that no function is at ends a stopped job at once', async () => {
  await shardProgress(PARTS, LIST, 0).write(store, beginShard(3, 2048, NOW));
  expect(await stoppedJob(1)).toMatchObject({ status: 'Stopped', gbSeconds: 0 });
});

test('a function that dies while it opens the model refuses it, with the memory that it has and what to do', async () => {
  const plan = await planJson(PARTS).require(store);
  const died = Object.assign(new Error('signal: killed'), { name: 'Runtime.OutOfMemory' });
  const prepare = openInFunction(() => Promise.reject(died));
  await expect(prepare(PARTS, plan)).rejects.toMatchObject({
    name: 'ModelNeedsContainer',
    message:
      'the function that predicts died while it opened the model (Runtime.OutOfMemory): it has 1769 MB of memory, ' +
      'which parameter PredictMemory raises; or set transform.engine to "sagemaker"',
  });
});
