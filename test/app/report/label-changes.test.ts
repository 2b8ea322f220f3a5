import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { LabelSorter, writeSortedLabels } from '../../../src/app/plan/read/label-file.ts';
import { reviewsJson } from '../../../src/app/records/reviews.ts';
import { compareRuns } from '../../../src/app/report/compare-runs.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import type { ScoringPlan } from '../../../src/plan/scoring-plan.ts';
import { facts } from '../../../src/report/facts.ts';
import { Report } from '../../../src/report/report.ts';
import type { Reading } from '../../../src/review/reading.ts';
import { taskId } from '../../../src/review/review-task.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';
import { planWith, reconciledRun, type RunInput, runKeys } from '../../support/report-run.ts';

const FIRST = 'shapes/monday/000001';
const AGAIN = 'shapes/monday/000001s1';
const clock = () => new Date('2026-11-21T10:05:00.000Z');
const circle = JSON.stringify({ predictions: [[0.8, 0.1, 0.1]] });
/** Ten images that the model calls circles. */
const NAMES = Array.from({ length: 10 }, (_, at) => `${at}.png`);
const INPUTS = NAMES.map((name, at): RunInput => ({ name, output: circle, etag: `content ${at}` }));
/** Nine of them are. */
const LABELS = NAMES.map((_, at) => (at === 3 ? 'square' : 'circle'));
const GATE = { minAccuracy: 0.95, minInputs: 1, minLabeled: null, confidence: null } as ScoringPlan['gate'];

async function run(
  store: MemoryObjectStore,
  name: string,
  inputs: readonly RunInput[],
  plan: Partial<ScoringPlan> & { readonly labels: ScoringPlan['labels'] },
  perShard = 4,
) {
  const made = reconciledRun(inputs, { perShard, run: name, plan, store });
  for (const shard of made.shards) await foldPredictions(shard, { store, imageFacts, clock });
  const about = { run: runKeys(name), startedAt: clock().toISOString() };
  await writeReport(about, { store, clock, logs: memoryEngineLogs(), thumbnail });
  return Report.parse(JSON.parse(store.text(bucketLayout.reportJson(runKeys(name)))!));
}

/** Labels in a file, by the places of the images; undefined for an image without one. */
async function inFile(
  store: MemoryObjectStore,
  name: string,
  labels: readonly (string | undefined)[],
  changes: Partial<ScoringPlan['labels']> = {},
): Promise<ScoringPlan['labels']> {
  const sorter = new LabelSorter();
  const key = (at: number) => `${bucketLayout.dropFolder(runKeys(name))}${NAMES[at]}`;
  sorter.add(
    labels.flatMap((label, at) =>
      label === undefined ? [] : [{ key: key(at), recordIndex: undefined, label }],
    ),
  );
  const index = await writeSortedLabels(store, runKeys(name), sorter.finish());
  const truth = { from: 'file', path: 'labels.csv', column: null } as const;
  return { ...planWith().labels, truth, file: 'copy', index, ...changes };
}

async function rescored(
  labels: readonly (string | undefined)[],
  {
    before = LABELS,
    acts = true,
    outcomes = false,
    prepare,
  }: {
    readonly before?: readonly (string | undefined)[];
    readonly acts?: boolean;
    readonly outcomes?: boolean;
    readonly prepare?: (store: MemoryObjectStore) => Promise<unknown>;
  } = {},
) {
  const store = memoryObjectStore({ bucket: 'bucket' });
  const first = await run(store, FIRST, INPUTS, { labels: await inFile(store, FIRST, before), gate: GATE });
  await prepare?.(store);
  const compared = { since: [FIRST], gateActs: acts, outcomes };
  const again = await run(store, AGAIN, INPUTS, {
    labels: await inFile(store, AGAIN, labels, compared),
    predictions: FIRST,
    gate: GATE,
  });
  return { store, first, again };
}

const ALL = NAMES.map(() => 'circle');
/** One person's blind reading of the one wrong label, and another's. */
const reading = (by: string, label = 'circle') => ({
  id: taskId(`${bucketLayout.dropFolder(runKeys(FIRST))}3.png`, 0),
  label,
  by,
  at: `2026-11-21T11:00:0${by.length}.000Z`,
  how: 'blind' as const,
});
const reviews = (readings: Reading[]) => (store: MemoryObjectStore) =>
  reviewsJson(runKeys(FIRST)).create(store, { schema: 1, blind: [], shown: [], drawn: [], readings });

test('labels that were changed to the model’s answer after it was seen pass no gate that acts, and are quoted', async () => {
  const { first, again } = await rescored(ALL);
  expect(first.gate.verdict).toBe('failed');
  expect(again).toMatchObject({
    accuracy: 1,
    gate: {
      verdict: 'none',
      isSet: true,
      explanation: expect.stringMatching(
        /^The gate has no verdict: 1 label changed since the answers of shapes\/monday\/000001, 1 of them in favor of the model and without a blind review\. By the labels before: The gate failed/,
      ),
    },
    labelChanges: { compared: 10, toward: 1, away: 0, seenToward: 1, right: 9, labeled: 10 },
  });
});

test('without anything that acts the verdict is that of the labels now, and the change is quoted', async () => {
  const { again } = await rescored(ALL, { acts: false });
  expect(again.gate.verdict).toBe('passed');
  expect(again.labelChanges).toMatchObject({ toward: 1, right: 9 });
});

test.each([
  ['one reader', [reading('ann')], 'none', 1],
  ['two readers who say the same', [reading('ann'), reading('ben1')], 'passed', 0],
  ['one reader twice', [reading('ann'), reading('ann')], 'none', 1],
  ['one who saw the prediction', [{ ...reading('ann'), how: 'shown' as const }], 'none', 1],
  ['two readers who disagree', [reading('ann'), reading('ben1', 'star')], 'none', 1],
])('%s: a label changes by two blind readers', async (_name, readings, verdict, seenToward) => {
  const { again } = await rescored(ALL, { prepare: reviews(readings) });
  expect(again.gate.verdict).toBe(verdict);
  expect(again.labelChanges?.seenToward).toBe(seenToward);
});

test('a blind review of mistakes and right answers that were drawn by lot gives the accuracy between exact ends', async () => {
  const task = (at: number) => taskId(`${bucketLayout.dropFolder(runKeys(FIRST))}${at}.png`, 0);
  const said = (at: number, by: string, label = 'circle') => ({ ...reading(by, label), id: task(at) });
  const rights = [0, 5, 7];
  const prepare = (drawn: string[], readings: Reading[]) => (store: MemoryObjectStore) =>
    reviewsJson(runKeys(FIRST)).create(store, { schema: 1, blind: drawn, shown: [], drawn, readings });
  const twice = [said(3, 'ann'), said(3, 'ben1')];
  const confirmed = rights.map((at) => said(at, 'ann'));
  const drawn = [3, ...rights].map(task);
  const of = async (drawn: string[], readings: Reading[]) =>
    (await rescored(LABELS, { prepare: prepare(drawn, readings) })).again;
  const whole = await of(drawn, [...twice, ...confirmed]);
  expect(whole.labelChanges?.review).toMatchObject({
    mistakes: { count: 1, read: 1, turned: 1, waiting: 0, chosen: 0 },
    right: { count: 9, read: 3, turned: 0, waiting: 0, chosen: 0 },
    // The one mistake is known; of three right answers none was turned.
    low: expect.closeTo((1 + 9 * 0.0125 ** (1 / 3)) / 10, 9),
    high: 1,
  });
  expect(facts(whole).find(({ label }) => label === 'Reviewed')).toMatchObject({
    value: '30.9% to 100.0%',
    note: 'accuracy by a blind review of 1 of 1 mistake and 3 of 9 right answers, at 95% confidence',
  });
  const waiting = await of(drawn, [said(3, 'ann'), ...confirmed]);
  expect(waiting.labelChanges?.review).toMatchObject({
    mistakes: { read: 0, waiting: 1 },
    low: expect.closeTo((9 * 0.0125 ** (1 / 3)) / 10, 9),
    high: 1,
  });
  const chosen = await of([task(3)], [...twice, ...confirmed]);
  expect(chosen.labelChanges?.review).toBeNull();
});

test('a mistake that loses its label helps as much as one that is called right', async () => {
  const { again } = await rescored(LABELS.map((label) => (label === 'square' ? undefined : label)));
  expect(again.accuracy).toBe(1);
  expect(again.labelChanges).toMatchObject({ removed: 1, removedRight: 0, seenToward: 1 });
  expect(again.gate.verdict).toBe('none');
});

test('first labels after the prediction act only if pipeline.json states that they are outcomes', async () => {
  const none = NAMES.map(() => undefined);
  const seen = await rescored(ALL, { before: none });
  expect(seen.again.labelChanges).toMatchObject({ added: 10, addedRight: 10, seenToward: 10, labeled: 0 });
  expect(seen.again.gate.verdict).toBe('none');
  const outcome = await rescored(ALL, { before: none, outcomes: true });
  expect(outcome.again.labelChanges).toMatchObject({ added: 10, seenToward: 0 });
  expect(outcome.again.gate.verdict).toBe('passed');
});

test('labels that make the model fail need no second judgment', async () => {
  const { again } = await rescored(LABELS.map((label, at) => (at === 0 ? 'star' : label)));
  expect(again.labelChanges).toMatchObject({ away: 1, seenToward: 0, right: 9 });
  expect(again.gate.verdict).toBe('failed');
});

test.each([2, 4, 10])(
  'a file that was moved to the folder of another class is the same input with another label (shards of %i)',
  async (perShard) => {
    const store = memoryObjectStore({ bucket: 'bucket' });
    const truth = { from: 'folder' } as const;
    const placed = (labels: readonly string[]) =>
      INPUTS.map((input, at) => ({ ...input, name: `${labels[at]}/${input.name}` })).toSorted((a, b) =>
        a.name < b.name ? -1 : 1,
      );
    const labels = { ...planWith().labels, truth };
    await run(store, FIRST, placed(LABELS), { labels }, 3);
    const next = 'shapes/tuesday/000001';
    const moved = LABELS.map((label, at) => (at === 3 ? 'circle' : at === 5 ? 'star' : label));
    const since = { ...labels, since: [FIRST], gateActs: true };
    const report = await run(store, next, placed(moved), { labels: since, gate: GATE }, perShard);
    expect(report.labelChanges).toMatchObject({ compared: 10, toward: 1, away: 1, right: 9, labeled: 10 });
    const { comparison } = await compareRuns(store, runKeys(next), runKeys(FIRST));
    expect(comparison).toMatchObject({
      inputs: { paired: 10, added: 0, missing: 0 },
      relabeled: 2,
      answered: 10,
    });
  },
);

test('a file that was moved is the same input though a copy of it stayed', async () => {
  const store = memoryObjectStore({ bucket: 'bucket' });
  const labels = { ...planWith().labels, truth: { from: 'folder' } as const };
  const image = (name: string, content: string, copy?: true): RunInput => ({
    name,
    output: circle,
    etag: content,
    ...(copy && { copy }),
  });
  const rest = [image('circle/1.png', 'a'), image('circle/2.png', 'b')];
  const before = [...rest, image('square/3.png', 'x'), image('square/9.png', 'x', true)];
  await run(store, FIRST, before, { labels }, 2);
  const moved = [...rest, image('circle/3.png', 'x'), image('square/9.png', 'x', true)];
  const since = { ...labels, since: [FIRST], gateActs: true };
  const report = await run(store, 'shapes/tuesday/000001', moved, { labels: since, gate: GATE }, 2);
  expect(report.labelChanges).toMatchObject({ compared: 4, toward: 1, seenToward: 1 });
  expect(report.gate.verdict).toBe('none');
});

test('a content that is there twice is paired by its name only', async () => {
  const store = memoryObjectStore({ bucket: 'bucket' });
  const truth = { from: 'folder' } as const;
  const labels = { ...planWith().labels, truth };
  const image = (name: string): RunInput => ({ name, output: circle, etag: 'same' });
  await run(store, FIRST, [image('circle/1.png'), image('square/2.png')], { labels });
  const since = { ...labels, since: [FIRST] };
  const report = await run(store, 'shapes/tuesday/000001', [image('circle/1.png'), image('star/2.png')], {
    labels: since,
  });
  expect(report.labelChanges).toMatchObject({ compared: 1, toward: 0 });
});

test('a class with another name by now is no changed label', async () => {
  const store = memoryObjectStore({ bucket: 'bucket' });
  await run(store, FIRST, INPUTS, { labels: await inFile(store, FIRST, LABELS) });
  const labels = LABELS.map((label) => (label === 'circle' ? 'disc' : label));
  const changes = { since: [FIRST], classes: ['disc', 'square', 'star'] };
  const report = await run(store, AGAIN, INPUTS, { labels: await inFile(store, AGAIN, labels, changes) });
  expect(report.labelChanges).toMatchObject({ compared: 10, other: 0, toward: 0, away: 0 });
});
