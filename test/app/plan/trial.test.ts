import { expect, test } from 'vitest';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { notify } from '../../../src/app/report/notify.ts';
import type { Trial } from '../../../src/drop/frozen.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type DropFixture, frozenDrop, NOW, PARTS, PIPELINE, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryTopic } from '../../support/memory-topic.ts';

const TRIAL: Trial = {
  inputs: 2,
  transform: { instanceTypes: ['ml.c5.xlarge'], maxConcurrentTransforms: 4, maxPayloadInMB: 3 },
  maxCostUsd: 0.5,
};
const FILES = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`${at}.png`, 2_500_000]));
const SPEED = {
  run: 'shapes/monday/000001p1',
  at: '2026-01-02T00:00:00.000Z',
  model: 'a'.repeat(64),
  objects: 100,
  bundled: false,
  engine: {
    name: 'sagemaker',
    instanceType: 'ml.m5.xlarge',
    instanceCount: 1,
    maxConcurrentTransforms: 8,
    maxPayloadInMB: 1,
  },
  startSeconds: 200,
  startupSeconds: 30,
  workSeconds: 20,
  inputsPerSecond: 5,
  costUsd: 0.1,
};

async function planned(fixture: DropFixture, { trial, speeds }: { trial?: Trial; speeds?: string } = {}) {
  const store = await frozenDrop(fixture);
  if (speeds !== undefined) store.put(bucketLayout.speeds(PARTS.pipeline), speeds);
  const frozen: object = JSON.parse(store.text(bucketLayout.frozen(PARTS))!);
  store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, trial }));
  await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  return { store, plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!)) };
}

test('a trial is a sample on its own settings, judged by no gate and deployed nowhere', async () => {
  const pipeline = {
    ...PIPELINE,
    gate: { minAccuracy: 0.9 },
    endpoint: { deploy: 'when-gate-passes' },
    limits: { pilot: 1 },
  };
  const { store, plan } = await planned({ pipeline, files: FILES }, { trial: TRIAL });
  expect(plan).toMatchObject({
    objects: 2,
    gate: null,
    pilot: [],
    sample: { inputs: 2, of: 6 },
    engine: { instanceTypes: ['ml.c5.xlarge'], maxConcurrentTransforms: 4, maxPayloadInMB: 3 },
    endpoint: { deploy: 'never' },
    limits: { maxCostUsd: 0.5, maxRuntimeMinutes: 60 },
  });
  const topic = memoryTopic();
  const sent = await notify({ run: PARTS, status: 'completed' }, { store, topic, clock: () => NOW });
  expect(sent).toEqual({ messageId: null });
  expect(store.text(bucketLayout.ended(PARTS))).toBeDefined();
});

test('quotes are by the measurement of the same instance with the most requests that are no more', async () => {
  const more = { ...SPEED, engine: { ...SPEED.engine, maxConcurrentTransforms: 64 }, inputsPerSecond: 50 };
  const fewer = { ...SPEED, engine: { ...SPEED.engine, maxConcurrentTransforms: 2 }, inputsPerSecond: 1 };
  const other = { ...SPEED, engine: { ...SPEED.engine, instanceType: 'ml.c5.xlarge' }, inputsPerSecond: 500 };
  const speeds = JSON.stringify({ schema: 1, speeds: [fewer, SPEED, more, other] });
  const { plan } = await planned({ pipeline: PIPELINE, files: FILES }, { speeds });
  // At 3 MB a request 33 of them are within 100 MB.
  expect(plan.jobs[0]).toMatchObject({ quotedSeconds: Math.ceil(30 + 6 / 5) });
  expect(plan.notes).toContain(
    'the quote is by 5 inputs a second on each ml.m5.xlarge, measured by shapes/monday/000001p1 on 2026-01-02',
  );
});

test('a file that no probe has written is a problem, not a guess', async () => {
  const store = await frozenDrop({ pipeline: PIPELINE, files: FILES });
  store.put(bucketLayout.speeds(PARTS.pipeline), '{"speeds": 1}');
  const refused = planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  await expect(refused).rejects.toThrow('1 problem');
  expect(store.text(bucketLayout.problems(PARTS))).toContain(
    'is not what inferdrop probe writes: delete it, or run inferdrop probe shapes',
  );
});
