import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import { type PredictionRow, PredictionRows } from '../../../src/report/table/prediction-rows.ts';
import { placeOfRow, readRows } from '../../../src/report/table/read-rows.ts';
import { compareByteOrder } from '../../../src/text/byte-order.ts';

const text = fc.oneof(fc.constantFrom('cat', 'dog', 'ß'), fc.string({ unit: 'grapheme', maxLength: 12 }));
const orNull = <T>(values: fc.Arbitrary<T>) => fc.oneof(values, fc.constant(null));
const row: fc.Arbitrary<PredictionRow> = fc.record({
  key: text,
  recordIndex: fc.nat(),
  line: fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: undefined }),
  id: fc.option(text, { nil: undefined }),
  truth: orNull(text),
  prediction: orNull(text),
  score: orNull(fc.double({ noNaN: true })),
  topK: orNull(text),
  correct: orNull(fc.boolean()),
  error: orNull(text),
});
const known = row.filter((each) => !Object.values(each).includes(null));
const unknown = row.map((each) => ({
  ...each,
  truth: null,
  prediction: null,
  score: null,
  topK: null,
  correct: null,
}));

function toParquet(rows: readonly PredictionRow[]): Uint8Array {
  const file = new PredictionRows();
  for (const each of rows) file.add(each);
  return file.finish();
}

async function read(parquet: Uint8Array): Promise<PredictionRow[]> {
  const groups = await Array.fromAsync(readRows(parquet));
  return groups.flat().map((one) => {
    const { record_index: _, top_k: topK, ...rest } = one;
    return { ...rest, ...placeOfRow(one), topK };
  });
}

test('rows come back as they were written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...[row, known, unknown].map((each) => fc.array(each, { maxLength: 200 }))),
      async (rows) => {
        expect(await read(toParquet(rows))).toEqual(rows);
      },
    ),
  );
});

test('more rows than a reader should hold at once are several groups', async () => {
  const rows = Array.from({ length: 45_000 }, (_, at) => ({
    key: `images/${at}.png`,
    recordIndex: at % 3,
    truth: at % 7 === 0 ? null : `class ${at % 1_000}`,
    prediction: `class ${at % 998}`,
    score: 1 / (at + 1),
    topK: `["class ${at % 998}"]`,
    correct: at % 2 === 0,
    error: null,
  }));
  const parquet = toParquet(rows);
  expect(await read(parquet)).toEqual(rows);
  const { row_groups, num_rows } = parquetMetadata(new Uint8Array(parquet).buffer);
  expect(num_rows).toBe(45_000n);
  expect(row_groups.map((group) => Number(group.num_rows))).toEqual([20_000, 20_000, 5_000]);
});

test('a file tells the least and the greatest of its keys', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 30 }), (rows) => {
      const { row_groups } = parquetMetadata(new Uint8Array(toParquet(rows)).buffer);
      const keys = rows.map(({ key }) => key).sort(compareByteOrder);
      expect(row_groups[0]?.columns[0]?.meta_data?.statistics).toMatchObject({
        min_value: keys[0],
        max_value: keys.at(-1),
        null_count: 0n,
      });
    }),
  );
});
