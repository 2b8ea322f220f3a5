import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openParquet } from '../../../src/table/parquet-rows.ts';
import { type DrawnParquet, judgeParquet } from '../../support/drawn-parquet.ts';

const FILES = gunzipSync(
  readFileSync(path.resolve(import.meta.dirname, '..', '..', 'fixtures', 'parquet.jsonl.gz')),
)
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as DrawnParquet);
const READ = FILES.filter(({ how }) => how.compression !== 'lz4');

/** A file with 12 rows in groups of five. */
const DAMAGED = READ.find(({ rows, how }) => rows.length === 12 && how.row_group_size === 5)!;
const fileOf = (bytes: Uint8Array) => ({
  sizeBytes: bytes.length,
  read: async (start: number, end: number) => bytes.subarray(start, end),
});

test.each([1, 7, 1_000])(
  'files of lab/oracle/tables/draw_parquet.py have the cells of pyarrow, %s at once',
  async (cells) => {
    let equal = 0;
    for (const file of READ) {
      const judged = await judgeParquet(file, cells);
      expect(judged.wrong).toBeUndefined();
      equal += judged.cells;
    }
    expect(equal).toBeGreaterThan(500);
  },
);

test('LZ4 is refused by name, with the remedy', async () => {
  const file = FILES.find(({ how }) => how.compression === 'lz4')!;
  await expect(judgeParquet(file, 1)).rejects.toThrow(
    expect.objectContaining({
      name: 'TableRefused',
      message: 'is compressed with LZ4_RAW: write it with compression="zstd" or "snappy"',
    }),
  );
});

test('a file that was cut off or damaged is refused, or loses the rows of its damaged part', async () => {
  const bytes = Buffer.from(DAMAGED.bytes, 'base64');
  await expect(openParquet(fileOf(bytes.subarray(0, -9)))).rejects.toThrow(
    expect.objectContaining({ name: 'TableRefused', message: expect.stringContaining('without a footer') }),
  );
  bytes.fill(0xff, 4, 40);
  const { titles, rows } = await openParquet(fileOf(bytes));
  const found = (await Array.fromAsync(rows(titles.map((_, at) => at)))).flat();
  expect(found.map((row) => typeof row === 'string')).toEqual([
    ...Array(5).fill(true),
    ...Array(7).fill(false),
  ]);
  expect(found[0]).toContain('lies in a part of the file that is damaged (');
});

test('a connection that breaks says nothing about the file', async () => {
  const bytes = Buffer.from(DAMAGED.bytes, 'base64');
  let reads = 0;
  const read = async (start: number, end: number) => {
    if (reads++ > 0) throw new Error('socket hang up');
    return bytes.subarray(start, end);
  };
  const { rows } = await openParquet({ sizeBytes: bytes.length, read });
  await expect(Array.fromAsync(rows([0]))).rejects.toThrow('socket hang up');
});
