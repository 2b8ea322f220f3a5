import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reserveQuote, takeTurn } from '../../../src/app/plan/pipeline-limits.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { emptyLedger, PipelineLedger } from '../../../src/plan/decide/pipeline-ledger.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { PlanRefused } from '../../../src/plan/refused.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { parseRunId } from '../../../src/run/run-id.ts';
import {
  type DropFixture,
  frozenDrop,
  NOW,
  PARTS,
  PIPELINE,
  RUN,
  SETTINGS,
} from '../../support/drop-fixture.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import { reportFigures } from '../../support/report-figures.ts';

const LIMITS = { maxConcurrentRuns: 2, maxCostUsdPerDay: 10, maxRuntimeMinutes: 60 };
const runOf = (drop: string | number) => parseRunId(`shapes/${drop}/000001`)!;
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000);
const ledgerOf = (store: MemoryObjectStore) =>
  PipelineLedger.parse(JSON.parse(store.text(bucketLayout.ledger('shapes'))!));
const turn = (store: MemoryObjectStore, drop: string | number, at = NOW, limits: object = {}) =>
  takeTurn(store, runOf(drop), { ...LIMITS, ...limits }, at);
const reserve = (store: MemoryObjectStore, drop: string | number, quoteUsd: number | null, at = NOW) =>
  reserveQuote(store, runOf(drop), LIMITS, quoteUsd, at);
function end(store: MemoryObjectStore, drop: string | number, costUsd?: number | null) {
  if (costUsd !== undefined) store.put(bucketLayout.reportJson(runOf(drop)), reportFigures({ costUsd }));
  store.put(bucketLayout.ended(runOf(drop)), '{}');
}

test('runs above the limit wait, and take their turn in the order in which they came', async () => {
  const store = memoryObjectStore();
  expect(await turn(store, 'a')).toBe('taken');
  expect(await turn(store, 'b')).toBe('taken');
  expect(await turn(store, 'b')).toBe('taken');
  expect(await turn(store, 'c')).toEqual({ waitSeconds: 2 });
  expect(await turn(store, 'd', minutes(1))).toEqual({ waitSeconds: 2 });
  end(store, 'a');
  expect(await turn(store, 'd', minutes(2))).toEqual({ waitSeconds: 3 });
  expect(await turn(store, 'e', minutes(2))).toEqual({ waitSeconds: 2 });
  expect(await turn(store, 'c', minutes(2))).toBe('taken');
  end(store, 'b');
  expect(await turn(store, 'e', minutes(3))).toEqual({ waitSeconds: 3 });
  expect(await turn(store, 'd', minutes(3))).toBe('taken');
  expect(ledgerOf(store).active.map(({ run }) => run)).toEqual(['shapes/c/000001', 'shapes/d/000001']);
});

test('of runs that come at once each has a place, as long as there is one', async () => {
  const store = memoryObjectStore();
  const turns = await Promise.all(
    ['a', 'b', 'c'].map((drop) => turn(store, drop, NOW, { maxConcurrentRuns: 3 })),
  );
  expect(turns).toEqual(['taken', 'taken', 'taken']);
});

test('a run that asks once more is not taken for one that has ended, whose cost would count twice', async () => {
  const store = memoryObjectStore();
  await turn(store, 'a');
  await reserve(store, 'a', 4);
  end(store, 'a', 4);
  expect(await turn(store, 'a')).toBe('taken');
  expect(await reserve(store, 'a', 4)).toEqual({ leftUsd: 10 });
  expect(ledgerOf(store)).toMatchObject({ spentUsd: 0, active: [{ run: 'shapes/a/000001', quoteUsd: 4 }] });
});

test('two that began to wait in the same moment do not wait for each other', async () => {
  const store = memoryObjectStore();
  for (const drop of ['a', 'b', 'd', 'c']) await turn(store, drop);
  end(store, 'a');
  expect(await turn(store, 'd')).toEqual({ waitSeconds: 2 });
  expect(await turn(store, 'c')).toBe('taken');
});

test('a run that waits no more is passed over after half an hour', async () => {
  const store = memoryObjectStore();
  for (const drop of ['a', 'b', 'gone']) await turn(store, drop);
  await turn(store, 'c', minutes(5));
  end(store, 'a');
  expect(await turn(store, 'c', minutes(20))).toEqual({ waitSeconds: 45 });
  expect(await turn(store, 'c', minutes(31))).toBe('taken');
});

test('a run that has waited as long as it may is refused, with what it waited for', async () => {
  const store = memoryObjectStore();
  for (const drop of ['a', 'b', 'c']) await turn(store, drop);
  for (let at = 10; at <= 60; at += 10)
    expect(await turn(store, 'c', minutes(at))).toHaveProperty('waitSeconds');
  await expect(turn(store, 'c', minutes(61))).rejects.toMatchObject({
    problems: [
      {
        file: 'pipeline.json',
        field: 'limits.maxConcurrentRuns',
        value: '2',
        message:
          'allows 2 runs of a pipeline at once, and this one has waited for the 60 minutes that ' +
          'limits.maxRuntimeMinutes allows: under way: 2 ' +
          '(shapes/a/000001, shapes/b/000001), waiting before this one: 0. Raise limits.maxConcurrentRuns in ' +
          'pipeline.json, or stop a run with ' +
          'inferdrop cancel, and then run it again with inferdrop rerun',
      },
    ],
  });
  expect(ledgerOf(store).waiting).toEqual([]);
});

test('a day counts what its ended runs cost and what those under way are quoted at', async () => {
  const store = memoryObjectStore();
  for (const [drop, quote] of [
    ['a', 4],
    ['b', 3],
  ] as const) {
    await turn(store, drop);
    await reserve(store, drop, quote);
  }
  end(store, 'a', 5.5);
  await turn(store, 'c');
  await expect(reserve(store, 'c', 1.5001)).rejects.toMatchObject({
    problems: [
      {
        file: 'pipeline.json',
        field: 'limits.maxCostUsdPerDay',
        value: '10',
        message:
          'allows $10.00 a day, and this run is quoted at $1.50: on 2026-03-01 (UTC) ended runs: 1, cost $5.50 (shapes/a/000001 $5.50); ' +
          'under way: 1, quoted at $3.00 (shapes/b/000001). Run it again tomorrow with inferdrop rerun shapes/c/000001, or raise ' +
          'limits.maxCostUsdPerDay in pipeline.json first',
      },
    ],
  });
  expect(await reserve(store, 'c', 1.5)).toEqual({ leftUsd: 1.5 });
  expect(await reserve(store, 'c', 1.5)).toEqual({ leftUsd: 1.5 });
  const tomorrow = minutes(12 * 60);
  end(store, 'b', 3);
  await turn(store, 'd', tomorrow);
  expect(await reserve(store, 'd', 9, tomorrow)).toEqual({ leftUsd: 10 });
  // A function whose clock is late does not bring yesterday back.
  end(store, 'd', 9);
  await turn(store, 'e');
  await expect(reserve(store, 'e', 2)).rejects.toThrow(PlanRefused);
});

test('a run that ended without a report counts as it was quoted, and one that was refused costs nothing', async () => {
  const store = memoryObjectStore();
  await turn(store, 'a');
  await reserve(store, 'a', 6);
  await turn(store, 'b');
  end(store, 'a');
  end(store, 'b', null);
  await turn(store, 'c');
  expect(await reserve(store, 'c', 4)).toEqual({ leftUsd: 4 });
});

test('of any runs at once never more than the limit have a place, nor do their quotes exceed the day', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.double({ min: 0.1, max: 6, noNaN: true }), { minLength: 2, maxLength: 12 }),
      fc.infiniteStream(fc.nat(7)),
      async (quotes, delays) => {
        const store = memoryObjectStore({
          clock: () => NOW,
          before: async () => {
            for (let turns = delays.next().value ?? 0; turns > 0; turns--) await Promise.resolve();
          },
        });
        const limits = { ...LIMITS, maxConcurrentRuns: 4 };
        const before = store.requests.length;
        const turns = await Promise.all(quotes.map((_, drop) => turn(store, drop, NOW, limits)));
        const taken = turns.flatMap((found, drop) => (found === 'taken' ? [drop] : []));
        const { active } = ledgerOf(store);
        expect(active.map(({ run }) => run).sort()).toEqual(
          taken.map((drop) => `shapes/${drop}/000001`).sort(),
        );
        expect(taken.length).toBeLessThanOrEqual(4);
        // Ten writes, each with a reading before and up to four looks.
        expect(store.requests.length - before).toBeLessThanOrEqual(quotes.length * 60);
        const costs = await Promise.all(
          taken.map(async (drop) =>
            reserveQuote(store, runOf(drop), limits, quotes[drop]!, NOW).catch((error: unknown) => {
              if (error instanceof PlanRefused) return 'refused' as const;
              throw error;
            }),
          ),
        );
        const reserved = taken.filter((_, index) => {
          const cost = costs[index]!;
          return cost !== 'refused' && 'leftUsd' in cost;
        });
        expect(reserved.reduce((sum, drop) => sum + quotes[drop]!, 0)).toBeLessThanOrEqual(10.001);
        for (const run of ledgerOf(store).active.filter(({ quoteUsd }) => quoteUsd !== null))
          expect(reserved.map((drop) => `shapes/${drop}/000001`)).toContain(run.run);
      },
    ),
    { numRuns: 100 },
  );
});

const planned = async (
  fixture: DropFixture,
  edit: (store: MemoryObjectStore) => unknown = () => undefined,
) => {
  const store = await frozenDrop(fixture);
  await edit(store);
  const answer = await withProblemLines(
    planRun({ run: PARTS }, { store, clock: () => NOW, settings: SETTINGS }),
  );
  return { store, answer };
};
const planOf = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));

test('every pipeline has limits, and a plan has set aside its quote', async () => {
  const { store } = await planned({});
  const { limits, cost } = planOf(store);
  expect(limits).toMatchObject({ maxCostUsd: 20, maxRuntimeMinutes: 240 });
  expect(ledgerOf(store)).toMatchObject({ active: [{ run: RUN, quoteUsd: cost.quoteUsd }], waiting: [] });
});

test('a run may cost no more than the day leaves it', async () => {
  const { store } = await planned(
    { pipeline: { ...PIPELINE, limits: { maxCostUsdPerDay: 10 } } },
    async (store) => {
      await turn(store, 'other');
      await reserve(store, 'other', 9);
    },
  );
  expect(planOf(store).limits.maxCostUsd).toBe(1);
});

test('a run that has to wait reads no archive and no manifest', async () => {
  const { store, answer } = await planned(
    { pipeline: { ...PIPELINE, limits: { maxConcurrentRuns: 1 } } },
    (store) => turn(store, 'other'),
  );
  expect(answer).toEqual({ status: 'waiting', waitSeconds: 2 });
  const read = store.requests.filter(({ key }) => /model\.tar\.gz|manifest/.test(key));
  expect(read).toEqual([]);
});

test('a run that has waited as long as it may is refused, and has no plan', async () => {
  const limits = { maxConcurrentRuns: 1, maxRuntimeMinutes: 60 };
  const store = await frozenDrop({ pipeline: { ...PIPELINE, limits } });
  for (const drop of ['other', PARTS.drop]) await turn(store, drop, minutes(-61), limits);
  const services = { store, clock: () => NOW, settings: SETTINGS };
  await expect(withProblemLines(planRun({ run: PARTS }, services))).rejects.toThrow(
    'limits.maxConcurrentRuns allows 1 runs of a pipeline at once, and this one has waited',
  );
  expect(store.text(bucketLayout.problems(PARTS))).toContain('this one has waited');
  expect(store.text(bucketLayout.plan(PARTS))).toBeUndefined();
});

test('job.json tightens the limits of the day and of runs at once, and does not widen them', async () => {
  const limits = { maxConcurrentRuns: 5, maxCostUsdPerDay: 10 };
  const pipeline = { ...PIPELINE, limits };
  const { answer } = await planned({ pipeline, job: { limits: { maxConcurrentRuns: 1 } } }, (store) =>
    turn(store, 'other'),
  );
  expect(answer).toMatchObject({ status: 'waiting' });
  await expect(planned({ pipeline, job: { limits: { maxCostUsdPerDay: 0.0001 } } })).rejects.toThrow(
    'limits.maxCostUsdPerDay allows $0.00010 a day',
  );
  await expect(
    planned({ pipeline, job: { limits: { maxConcurrentRuns: 6, maxCostUsdPerDay: 11 } } }),
  ).rejects.toThrow(
    /limits\.maxCostUsdPerDay must be at most.*10.*\n.*limits\.maxConcurrentRuns must be at most.*5/,
  );
});

test.each([
  ['takes its place', 0],
  ['reserves its quote', 1],
])('where other runs write the ledger ten times while a run %s, it waits', async (_, writesBefore) => {
  let writes = 0;
  let others = 0;
  const store: MemoryObjectStore = await frozenDrop({
    store: {
      before: ({ operation, key }, phase) => {
        if (operation !== 'PUT' || phase !== 'request' || key !== bucketLayout.ledger('shapes')) return;
        writes += 1;
        if (writes <= writesBefore) return;
        others += 1;
        store.put(key, JSON.stringify({ ...emptyLedger(NOW), endedRuns: others }));
      },
    },
  });
  const services = { store, clock: () => NOW, settings: SETTINGS };
  expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'waiting', waitSeconds: 2 });
  expect(others).toBe(10);
  expect(store.text(bucketLayout.plan(PARTS))).toBeUndefined();
});
