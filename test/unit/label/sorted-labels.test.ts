import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LabelRow } from '../../../src/label/label-row.ts';
import { rangeOf, readSortedRows, toSortedPart } from '../../../src/label/sorted-labels.ts';
import { keyOfRow, TruthTable } from '../../../src/label/truth-in-file.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

const key = fc.string({
  unit: fc.constantFrom('a', 'b', '/', '\u2028', 'é', '\u{1F600}'),
  minLength: 1,
  maxLength: 3,
});
const row = fc.record({
  key,
  label: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  recordIndex: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
  fields: fc.option(fc.array(fc.string({ unit: 'grapheme', maxLength: 3 }), { minLength: 1, maxLength: 2 }), {
    nil: undefined,
  }),
});

test('a shard that reads a few blocks of each part finds the labels that the whole file has for it', () => {
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 60 }),
      fc.uniqueArray(key, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 80 }),
      fc.boolean(),
      (rows, wanted, partRows, blockBytes, oneRecord) => {
        const whole = new TruthTable(wanted, oneRecord);
        // PlanRun leaves the index out where an input is one record.
        if (oneRecord) rows = rows.map((each) => ({ ...each, recordIndex: undefined }));
        for (const each of rows) whole.add(each);
        const keys = wanted.toSorted(compareByteOrder);
        const parts = new TruthTable(wanted, oneRecord);
        for (let at = 0; at < rows.length; at += partRows) {
          const { text, ...part } = toSortedPart(rows.slice(at, at + partRows), blockBytes);
          expect(part.bytes).toBe(Buffer.byteLength(text));
          const range = rangeOf({ object: 'o', ...part }, { first: keys[0]!, last: keys.at(-1)! });
          if (range === undefined) continue;
          const read = Buffer.from(text).subarray(range.start, range.end).toString();
          for (const each of readSortedRows(read)) parts.add(each);
        }
        for (const each of keys)
          for (let index = 0; index < 4; index++)
            expect([parts.lookUp(each, index), parts.fieldsOf(each, index)]).toEqual([
              whole.lookUp(each, index),
              whole.fieldsOf(each, index),
            ]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a shard reads its own blocks and at most two more', () => {
  const rows: LabelRow[] = Array.from({ length: 100_000 }, (_, index) => ({
    key: `in/${String((index * 7_919) % 100_000).padStart(6, '0')}.png`,
    label: 'cat',
    recordIndex: undefined,
  }));
  const { text: _text, ...part } = toSortedPart(rows);
  const range = rangeOf({ object: 'o', ...part }, { first: 'in/050000.png', last: 'in/051000.png' })!;
  expect(range.end - range.start).toBeLessThan(1_000 * 28 + 2 * 70_000);
  expect(rangeOf({ object: 'o', ...part }, { first: 'im', last: 'im/z' })).toBeUndefined();
});

test.each([
  ['s3://b/in/a.png', 'in/a.png'],
  ['in/a.png', 'in/a.png'],
  ['a.png', 'in/a.png'],
  ['./a.png', 'in/a.png'],
  ['/a.png', 'in/a.png'],
  ['s3://other/in/a.png', 'in/s3://other/in/a.png'],
])('%s names %s', (named, expected) => {
  expect(keyOfRow(named, { bucket: 'b', prefix: 'in/' })).toBe(expected);
});

test('where the inputs have no common prefix, names are whole keys', () => {
  expect(
    ['a.png', './a.png', 's3://b//a.png'].map((named) => keyOfRow(named, { bucket: 'b', prefix: '' })),
  ).toEqual(['a.png', 'a.png', '/a.png']);
});
