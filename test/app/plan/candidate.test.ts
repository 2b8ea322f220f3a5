import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { takeTurn } from '../../../src/app/plan/pipeline-limits.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { type Candidate, Frozen } from '../../../src/drop/frozen.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, SERVABLE, SETTINGS } from '../../support/drop-fixture.ts';

const TRAINING = 'training/shapes/monday/000001';
const INCUMBENT = 'shapes/monday/000001r2';

/** Plans the run of the fixture as one that judges a candidate, which is another archive than the pipeline's. */
async function planCandidate(
  pipeline: object,
  given: Partial<Candidate> = {},
  prepare: (store: ObjectStore) => Promise<unknown> = async () => undefined,
) {
  const store = await frozenDrop({ pipeline: { ...PIPELINE, ...pipeline } });
  const archive = await modelArchive({ ...SERVABLE, 'code/own.py': '' });
  const sha256 = createHash('sha256').update(archive).digest('hex');
  store.put(bucketLayout.model(sha256), archive);
  const frozen = Frozen.parse(JSON.parse(store.text(bucketLayout.frozen(PARTS))!));
  const candidate: Candidate = { sha256, training: TRAINING, baseline: INCUMBENT, maxCostUsd: 4, ...given };
  store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, candidate }));
  await prepare(store);
  const answer = await planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  return { sha256, answer, plan: Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!)) };
}

test('a candidate is planned by its digest, compared with what serves, and never deployed', async () => {
  const { sha256, answer, plan } = await planCandidate({
    gate: { minAccuracy: 0.5 },
    endpoint: { deploy: 'when-gate-passes' },
  });
  expect(answer).toMatchObject({ status: 'planned', deploy: 'never' });
  expect(plan.model).toMatchObject({ sha256, artifact: `s3://bucket/${bucketLayout.model(sha256)}` });
  expect(plan.report.baseline).toEqual({ asked: 'candidate', run: INCUMBENT });
  expect(plan.limits.maxCostUsd).toBe(4);
  expect(plan.endpoint).toMatchObject({ deploy: 'never' });
  expect(plan.notes.join()).toContain(
    `judges the model ${sha256.slice(0, 12)} of ${TRAINING}; nothing is deployed; it is compared with ${INCUMBENT}`,
  );
});

test('a candidate needs no place of its own, since its training has one and waits for it', async () => {
  const limits = { maxConcurrentRuns: 1, maxCostUsdPerDay: null, maxRuntimeMinutes: 60 };
  const training = parseRunId(TRAINING)!;
  const { answer } = await planCandidate({ limits: { maxConcurrentRuns: 1 } }, {}, (store) =>
    takeTurn(store, training, limits, NOW),
  );
  expect(answer).toMatchObject({ status: 'planned' });
});

test.each([
  [null, { maxAccuracyDrop: 0.01 }],
  [{ minAccuracy: 0.5 }, { minAccuracy: 0.5, maxAccuracyDrop: 0.01 }],
  [{ maxAccuracyDrop: 0.02 }, { maxAccuracyDrop: 0.02 }],
  // All files judge a candidate, also where other runs are decided early.
  [
    { minAccuracy: 0.5, decide: 'early' },
    { minAccuracy: 0.5, decide: 'all', maxAccuracyDrop: 0.01 },
  ],
])('a gate of %o judges a candidate by %o', async (gate, judged) => {
  const report = { baseline: 'last-passed' };
  expect((await planCandidate({ gate, report })).plan.gate).toEqual({
    ...judged,
    minInputs: 1,
    minLabeled: null,
    confidence: null,
  });
});

test('without a model that serves only the bounds of the pipeline count', async () => {
  const bare = await planCandidate({}, { baseline: null });
  expect(bare.plan.gate).toBeNull();
  expect(bare.plan.report.baseline).toEqual({ asked: 'candidate', run: null });
  const gate = { minAccuracy: 0.5 };
  expect((await planCandidate({ gate }, { baseline: null })).plan.gate).toMatchObject(gate);
});

test("the pipeline's own cap counts where it is the lower one", async () => {
  expect((await planCandidate({ limits: { maxCostUsd: 1 } })).plan.limits.maxCostUsd).toBe(1);
  expect((await planCandidate({}, { maxCostUsd: null })).plan.limits.maxCostUsd).toBe(20);
});
