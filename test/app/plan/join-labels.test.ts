import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LabelJoin } from '../../../src/app/plan/read/join-labels.ts';
import { LabelSorter } from '../../../src/app/plan/read/label-file.ts';
import { mergedLabels } from '../../../src/app/plan/read/merged-labels.ts';
import type { LabelRow } from '../../../src/label/label-row.ts';
import { LabelTally } from '../../../src/label/label-tally.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

const CLASSES = ['a', 'b'];
const key = fc.string({ unit: fc.constantFrom('k', 'é', '\u{1F600}', '/'), minLength: 1, maxLength: 2 });
const row = fc.record({
  key,
  label: fc.constantFrom('a', 'b', '0', '1.0', '2', 'c'),
  recordIndex: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
});

async function* named(names: readonly string[]) {
  for (const name of names) yield { name };
}

/** Counts of a label file that is cut into parts of `partRows` rows, joined with inputs in batches. */
async function joined(
  rows: readonly LabelRow[],
  keys: readonly string[],
  { others, undrawn = [] }: { readonly others: readonly string[]; readonly undrawn?: readonly string[] },
  partRows: number,
  batch: number,
) {
  const sorter = new LabelSorter(partRows);
  for (const each of rows) sorter.add([each]);
  const tally = new LabelTally({ classes: CLASSES, numbers: 'index' });
  const existing = async (asked: readonly string[]) => new Set(asked.filter((each) => others.includes(each)));
  const all = [...keys, ...undrawn].toSorted(compareByteOrder);
  const join = new LabelJoin(mergedLabels(sorter.finish()), tally, { inputs: named(all), existing });
  for (let at = 0; at < keys.length; at += batch) await join.look(keys.slice(at, at + batch));
  await join.finish();
  return tally.finish().check;
}

test('counts what a look at everything at once counts, however the file is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 40 }),
      fc.uniqueArray(key, { maxLength: 8 }),
      fc.uniqueArray(key, { maxLength: 4 }),
      fc.uniqueArray(key, { maxLength: 4 }),
      fc.integer({ min: 1, max: 15 }),
      fc.integer({ min: 1, max: 5 }),
      async (rows, wanted, others, rest, partRows, batch) => {
        const keys = wanted.toSorted(compareByteOrder);
        const undrawn = rest.filter((each) => !keys.includes(each));
        const known = [...keys, ...others, ...undrawn];
        const check = await joined(rows, keys, { others, undrawn }, partRows, batch);
        const used = rows.filter((each) => keys.includes(each.key));
        const records = Map.groupBy(used, (each) => `${each.recordIndex} ${each.key}`);
        expect(check).toMatchObject({
          inputs: keys.length,
          labeled: new Set(used.map((each) => each.key)).size,
          noClass: { count: used.filter(({ label }) => ['2', 'c'].includes(label)).length },
          noInput: {
            count: rows.filter((each) => !known.includes(each.key)).length,
          },
          conflicting: {
            count: [...records.values()].filter((some) => new Set(some.map(({ label }) => label)).size > 1)
              .length,
          },
          unlabeled: { count: keys.filter((each) => !used.some((one) => one.key === each)).length },
        });
      },
    ),
    { numRuns: 300 },
  );
});

test('rows of one record stand in the order of the file, in whatever parts they were sorted', async () => {
  const sorter = new LabelSorter(2);
  for (const label of ['a', 'b', 'c', 'd', 'e']) sorter.add([{ key: 'k', label, recordIndex: undefined }]);
  const parts = sorter.finish();
  expect(parts).toHaveLength(3);
  const batches = await Array.fromAsync(mergedLabels(parts));
  expect(batches.flat().map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

/** Rows of as many files, in their order. */
const rowsOf = (count: number): LabelRow[] =>
  Array.from({ length: count }, (_, at) => ({
    key: String(at).padStart(5, '0'),
    label: 'a',
    recordIndex: undefined,
  }));

test('of parts that fill their batches each row comes once and in order, 2,000 at a time', async () => {
  const rows = rowsOf(8_000);
  const sorter = new LabelSorter(4_000);
  for (const odd of [0, 1]) sorter.add(rows.filter((_, at) => at % 2 === odd));
  const parts = sorter.finish();
  expect(parts).toHaveLength(2);
  const batches = await Array.fromAsync(mergedLabels(parts));
  expect(batches.map((batch) => batch.length)).toEqual([2_000, 2_000, 2_000, 2_000]);
  expect(batches.flat()).toEqual(rows);
});

test('two labels of one record are listed with its place', async () => {
  const of = (label: string, recordIndex: number) => ({ key: 'k', label, recordIndex });
  const { conflicting } = await joined([of('a', 0), of('a', 1), of('b', 1)], ['k'], { others: [] }, 10, 1);
  expect(conflicting).toEqual({ count: 1, examples: ['k, record 1 ("a", then "b")'] });
});

test('of keys without an input a million is looked up, ten thousand at once, since each costs a request', async () => {
  const BATCH = 20_000;
  async function* rows() {
    for (let batch = 0; batch < 51; batch++)
      yield Array.from({ length: BATCH }, (_, at) => ({
        key: `${batch} ${at}`,
        label: 'a',
        recordIndex: undefined,
      }));
  }
  const tally = new LabelTally({ classes: CLASSES, numbers: 'index' });
  let lookedUp = 0;
  let times = 0;
  const join = new LabelJoin(rows(), tally, {
    inputs: named([]),
    existing: async (keys) => {
      times += 1;
      lookedUp += keys.length;
      return new Set(keys);
    },
  });
  await join.finish();
  expect([times, lookedUp, tally.finish().check.noInput.count]).toEqual([100, 1_000_000, BATCH]);
});

test('keeps ten examples of a kind and counts the rest', async () => {
  const keys = Array.from({ length: 5_000 }, (_, at) => String(at).padStart(5, '0'));
  const check = await joined([], keys, { others: [] }, 10, 1_000);
  expect(check.unlabeled.count).toBe(5_000);
  expect(check.unlabeled.examples).toEqual(keys.slice(0, 10));
});
