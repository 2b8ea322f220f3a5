import { expect, test } from 'vitest';
import { takeTurn } from '../../../src/app/plan/pipeline-limits.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import type { ObjectStore } from '../../../src/aws/s3/object-store.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import { JobRecord } from '../../../src/transform/job-record.ts';
import { frozenDrop, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { withProblemLines } from '../../support/problem-lines.ts';

const AGAIN = parseRunId(`${RUN}r2`)!;
const LATER = new Date(NOW.getTime() + 3_600_000);
const planOf = (store: MemoryObjectStore, run = PARTS) =>
  Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));

/** A run with a plan, and another that is to repeat it; pipeline.json may have changed since. */
async function planned(limits: object, today: object = limits) {
  const store = await frozenDrop({ pipeline: { ...PIPELINE, limits, gate: { minAccuracy: 0.5 } } });
  const services = { store, settings: SETTINGS };
  await planRun({ run: PARTS }, { ...services, clock: () => NOW });
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!);
  store.put(bucketLayout.frozen(AGAIN), JSON.stringify({ ...frozen, origin: { mode: 'replay', of: RUN } }));
  store.put(
    bucketLayout.pipelineConfig('shapes'),
    JSON.stringify({ ...PIPELINE, limits: today, speling: 1 }),
  );
  const replay = (change: Partial<ObjectStore> = {}) =>
    withProblemLines(
      planRun({ run: AGAIN }, { ...services, store: { ...store, ...change }, clock: () => LATER }),
    );
  return { store, replay };
}

test('a run that repeats another has its plan and inputs, and no deployment, whatever pipeline.json says', async () => {
  const { store, replay } = await planned({});
  const before = planOf(store);
  expect(await replay()).toEqual({
    status: 'planned',
    jobs: 1,
    engine: 'sagemaker',
    objects: 2,
    deploy: 'never',
    labels: expect.any(Array),
    costQuoteUsd: before.cost.quoteUsd,
  });
  const plan = planOf(store, AGAIN);
  const input = bucketLayout.partInput(AGAIN, 1);
  expect(plan).toEqual({
    ...before,
    run: `${RUN}r2`,
    createdAt: LATER.toISOString(),
    endpoint: null,
    report: { ...before.report, baseline: { asked: 'replay', run: RUN } },
    limits: { ...before.limits, maxCostUsd: before.limits.maxCostUsd },
    notes: [`replay of ${RUN}: its plan, model and inputs; nothing is deployed`, ...before.notes],
    jobs: [{ ...before.jobs[0], input }],
  });
  expect(store.text(input)).toBe(store.text(before.jobs[0]!.input));
  expect(JobRecord.parse(JSON.parse(store.text(bucketLayout.job(AGAIN, 1))!))).toMatchObject({
    attempt: 1,
    part: 1,
    input,
    status: 'Planned',
    outputsBefore: 0,
    createdAt: LATER.toISOString(),
  });
});

test('it may cost what the day has left, and no more than its original', async () => {
  const { store, replay } = await planned({ maxCostUsd: 5 }, { maxCostUsdPerDay: 3 });
  const { quoteUsd } = planOf(store).cost;
  await replay();
  expect(planOf(store, AGAIN).limits.maxCostUsd).toBe(3 - quoteUsd!);
  const wide = await planned({ maxCostUsd: 5 }, { maxCostUsdPerDay: 100 });
  await wide.replay();
  expect(planOf(wide.store, AGAIN).limits.maxCostUsd).toBe(5);
  const unbounded = await planned({ maxCostUsd: 5 }, { maxCostUsdPerDay: null });
  await unbounded.replay();
  expect(planOf(unbounded.store, AGAIN).limits.maxCostUsd).toBe(5);
});

test('it is planned later where other runs are faster each time to reserve their quotes', async () => {
  const { store, replay } = await planned({});
  let writes = 0;
  const replace: ObjectStore['replace'] = async (...asked) => ++writes === 1 && store.replace(...asked);
  expect(await replay({ replace })).toEqual({ status: 'waiting', waitSeconds: 2 });
  // Its place, and ten attempts to reserve the quote.
  expect(writes).toBe(11);
  expect(store.text(bucketLayout.plan(AGAIN))).toBeUndefined();
});

test('it waits for a place as other runs do, and is refused where the day has nothing left', async () => {
  const waiting = await planned({ maxConcurrentRuns: 1 });
  expect(await waiting.replay()).toEqual({ status: 'waiting', waitSeconds: 2 });
  const refused = await planned({}, { maxCostUsdPerDay: 0.0001 });
  await expect(refused.replay()).rejects.toThrow('limits.maxCostUsdPerDay allows $0.00010 a day');
  for (const { store } of [waiting, refused]) expect(store.text(bucketLayout.plan(AGAIN))).toBeUndefined();
});

test.each([
  ['its configuration', { speling: 1 }, [], 'speling is not a known field'],
  ['its manifest', {}, ['is not JSON'], 'job.json: input.manifest is not JSON'],
  ['both', { speling: 1 }, ['is not JSON'], 'speling is not a known field'],
])('a run that is refused for %s takes no place', async (_, settings, wrong, message) => {
  const store = await frozenDrop({
    pipeline: { ...PIPELINE, ...settings, limits: { maxConcurrentRuns: 1 } },
  });
  const problems = wrong.map((each) => ({
    file: 'job.json',
    field: 'input.manifest',
    value: 'list.json',
    message: each,
  }));
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!);
  store.put(bucketLayout.frozen(PARTS), JSON.stringify({ ...frozen, problems }));
  await takeTurn(store, AGAIN, { maxConcurrentRuns: 1, maxCostUsdPerDay: null, maxRuntimeMinutes: 60 }, NOW);
  const ledger = store.text(bucketLayout.ledger('shapes'));
  const planning = planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS });
  await expect(withProblemLines(planning)).rejects.toThrow(message);
  expect(store.text(bucketLayout.ledger('shapes'))).toBe(ledger);
});
