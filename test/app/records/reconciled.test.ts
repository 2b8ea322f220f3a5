import { expect, test } from 'vitest';
import { readReconciled, readShardEntries, toReconciledLine } from '../../../src/app/records/reconciled.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { aRun } from '../../support/a-run.ts';
import { asInput } from '../../support/as-input.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const RUN = aRun('clothes/monday/000001');
const FILE = bucketLayout.reconciled(RUN);
const about = (key: string) => ({ key, size: 1, etag: 'e', lastModified: '2026-03-01T12:00:00.000Z' });
const ENTRIES = [
  { ...about('a.png'), output: 'a.png.out' },
  { ...about('b.png'), error: 'model-error', detail: 'no output after one job' },
  { ...about('"model-error".png'), error: 'deleted', detail: 'model-error' },
  { ...about('c.png'), error: 'model-error', detail: 'no output after one job' },
];

/** The inputs of a run with these lines. */
function stored(lines: string) {
  const store = memoryObjectStore();
  store.put(FILE, lines);
  return store;
}

test('all inputs are read, or those with one reason', async () => {
  const store = stored(`\n${ENTRIES.map((entry) => toReconciledLine(asInput(entry))).join('')}`);
  const read = (error?: string) => Array.fromAsync(readReconciled(store, RUN, error));
  expect(await read()).toEqual(ENTRIES.map(asInput));
  expect((await read('model-error')).map(({ name }) => name)).toEqual(['b.png', 'c.png']);
  expect((await read('deleted')).map(({ name }) => name)).toEqual(['"model-error".png']);
});

test('a shard reads the lines of its own range', async () => {
  const lines = ENTRIES.map((entry) => toReconciledLine(asInput(entry)));
  const bytes = lines.map((line) => Buffer.byteLength(line));
  const store = stored(lines.join(''));
  const read = async (start: number, end: number) =>
    [...(await readShardEntries(store, RUN, { start, end }))!].map(({ name }) => name);
  expect(await read(0, bytes[0]!)).toEqual(['a.png']);
  expect(await read(bytes[0]!, bytes[0]! + bytes[1]! + bytes[2]!)).toEqual(['b.png', '"model-error".png']);
  // The end of the last line, and blank lines, are not worth an error.
  expect(await read(0, bytes[0]! - 1)).toEqual(['a.png']);
  expect(await read(5, 5)).toEqual([]);
  store.put(FILE, `\n${lines[0]}\n`);
  expect(await read(0, 1_000)).toEqual(['a.png']);
  store.remove(FILE);
  expect(await readShardEntries(store, RUN, { start: 0, end: 1 })).toBeUndefined();
  // S3 refuses a range without bytes: it is not asked.
  expect([...(await readShardEntries(store, RUN, { start: 5, end: 5 }))!]).toEqual([]);
});

test.each([
  ['no object', null],
  ['no object', 'a.png'],
  ['no key', { ...about('a'), key: undefined }],
  ['a key that is no text', { ...about('a'), key: 1 }],
  ['no size', { ...about('a'), size: undefined }],
  ['a size that is no number', { ...about('a'), size: '1' }],
  ['a size of half a byte', { ...about('a'), size: 0.5 }],
  ['a size below zero', { ...about('a'), size: -1 }],
  ['a size beyond what a number holds', { ...about('a'), size: 2 ** 53 }],
  ['no ETag', { ...about('a'), etag: undefined }],
  ['an ETag that is no text', { ...about('a'), etag: null }],
  ['an output that is no text', { ...about('a'), output: 1 }],
  ['a reason that is no text', { ...about('a'), error: null }],
  ['a member without a place', { ...about('a'), member: { object: 'a.jsonl' } }],
  ['a detail that is no text', { ...about('a'), detail: {} }],
])('a shard refuses a line with %s', async (_what, line) => {
  const text = JSON.stringify(line);
  const store = stored(`${text}\n`);
  const entries = (await readShardEntries(store, RUN, { start: 0, end: text.length + 1 }))!;
  expect(() => [...entries]).toThrow(new TypeError(`${FILE} must have an entry in each line, has ${text}`));
});

test('a shard takes an empty file, and one of the largest size', async () => {
  const lines = [0, 2 ** 53 - 1].map((size) => toReconciledLine(asInput({ ...about('a'), size }))).join('');
  const entries = (await readShardEntries(stored(lines), RUN, { start: 0, end: lines.length }))!;
  expect([...entries].map(({ size }) => size)).toEqual([0, 2 ** 53 - 1]);
});
