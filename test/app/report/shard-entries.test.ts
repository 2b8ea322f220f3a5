import { expect, test } from 'vitest';
import { readShardEntries } from '../../../src/app/records/reconciled.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { asInput } from '../../support/as-input.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { runKeys } from '../../support/report-run.ts';

const run = runKeys();
const lastModified = '2026-01-01T00:00:00.000Z';
const first = { key: 'incoming/shapes/monday/größe.png', size: 3, etag: 'a', output: 'größe.png.out' };
const second = {
  key: 'incoming/shapes/monday/z.png',
  size: 0,
  etag: 'b',
  error: 'empty',
  detail: 'no bytes',
};

const read = (line: Parameters<typeof asInput>[0]) => ({ lastModified, ...asInput(line) });

async function entriesOf(...lines: readonly unknown[]) {
  const store = memoryObjectStore();
  const whole = lines.map((line) => (line instanceof Object ? { lastModified, ...line } : line));
  const text = whole.map((line) => `${JSON.stringify(line)}\n`).join('');
  store.put(bucketLayout.reconciled(run), text);
  const entries = await readShardEntries(store, run, { start: 0, end: Buffer.byteLength(text) });
  if (entries === undefined) throw new Error('the file is there');
  return entries;
}

test('the entries of a range can be gone through more than once', async () => {
  const entries = await entriesOf(first, second);
  expect([...entries]).toEqual([read(first), read(second)]);
  expect([...entries]).toEqual([read(first), read(second)]);
});

test('the entries with some contents are found without reading the others', async () => {
  const quoted = { ...first, key: 'incoming/shapes/monday/"etag":"b".png' };
  const member = { object: 'a.tar', etag: 'b', start: 0, end: 3 };
  const entries = await entriesOf(quoted, 'no entry', { ...first, member }, second);
  expect([...entries.withContent(new Set(['b', 'c']))]).toEqual([read(second)]);
});

test('only what is asked for is read', async () => {
  const [entry] = await entriesOf(first, 'no entry');
  expect(entry).toEqual(read(first));
});

test.each([
  [{ ...first, key: 7 }],
  [{ ...first, size: '3' }],
  [{ ...first, size: -1 }],
  [{ ...first, size: 0.5 }],
  [{ ...first, etag: undefined }],
  [{ ...first, output: 1 }],
  [{ ...second, error: null }],
  [null],
])('a line that is not an entry, %j, is refused with the name of the file', async (line) => {
  const entries = await entriesOf(first, line);
  expect(() => [...entries]).toThrow(
    'runs/shapes/monday/000001/reconciled.jsonl must have an entry in each line',
  );
});
