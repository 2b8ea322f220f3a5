import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { keepArchive } from '../../../src/app/run/keep-archive.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../support/memory-object-store.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const SHA256 = digest('archive');
const KEPT = bucketLayout.model(SHA256);
const source = { bucket: 'bucket', key: 'model.tar.gz' };

/** A bucket in which S3 keeps no checksums, as of objects that were uploaded without. */
function withoutChecksums(store: MemoryObjectStore): MemoryObjectStore {
  store.keptSha256 = async () => null;
  return store;
}
const copies = ({ requests }: MemoryObjectStore): number =>
  requests.filter(({ operation }) => operation === 'COPY').length;
const isRead = ({ requests }: MemoryObjectStore): boolean =>
  requests.some(({ operation }) => operation === 'GET');

test.each([
  ['S3’s checksum', (store: MemoryObjectStore) => store, false],
  ['its bytes where S3 has no checksum', withoutChecksums, true],
])('an archive is kept once, and known by %s', async (_what, open, bytesAreRead) => {
  const store = open(memoryObjectStore());
  store.put('model.tar.gz', 'archive');
  expect(await keepArchive(store, SHA256, source)).toBe(true);
  expect([store.text(KEPT), copies(store)]).toEqual(['archive', 1]);
  expect(await keepArchive(store, SHA256, source)).toBe(true);
  expect(copies(store)).toBe(1);
  store.put(KEPT, 'damaged');
  expect(await keepArchive(store, SHA256, source)).toBe(true);
  expect(store.text(KEPT)).toBe('archive');
  store.put('model.tar.gz', 'another');
  store.put(KEPT, 'damaged');
  expect(await keepArchive(store, SHA256, source)).toBe(false);
  expect(isRead(store)).toBe(bytesAreRead);
});

test.each([
  ['is gone', { ...source, key: 'gone' }],
  ['was replaced', { ...source, etag: 'of the planned one' }],
])('an archive that %s is not kept', async (_what, asked) => {
  const store = memoryObjectStore();
  store.put('model.tar.gz', 'archive');
  expect(await keepArchive(store, SHA256, asked)).toBe(false);
  expect(store.text(KEPT)).toBeUndefined();
});

test('a failure of the copy says nothing about the archive', async () => {
  const store = memoryObjectStore();
  store.copy = () => Promise.reject(Object.assign(new Error('reduce your rate'), { name: 'SlowDown' }));
  await expect(keepArchive(store, SHA256, source)).rejects.toThrow('reduce your rate');
});
