import { pipeline } from 'node:stream/promises';
import { createGunzip, gzipSync } from 'node:zlib';
import type { ObjectStore } from '../../aws/object-store.ts';
import type { CoveredEntry } from '../../drop/covered-merge.ts';
import { CoveredVersion, type Slice } from '../../drop/frozen.ts';
import { Condition } from '../../problem/conditions.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { readLines } from '../../text/json-lines.ts';

/** Stores a slice of what a drop has had: lines of {@link CoveredVersion}, under a name that is never used again. */
export async function writeCovered(store: ObjectStore, object: string, lines: string): Promise<void> {
  await store.write(object, gzipSync(lines), { contentType: 'application/gzip' });
}

/**
 * The covered entries after a key, slice by slice: earlier slices are not even read.
 *
 * @throws `SliceMissing`
 */
export async function* readCovered(
  store: ObjectStore,
  slices: readonly Slice[],
  after: string | undefined,
): AsyncGenerator<CoveredEntry> {
  for (const { object, through } of slices) {
    if (after !== undefined && compareByteOrder(through, after) <= 0) continue;
    const unzipped = createGunzip();
    const read = pipeline(await openSlice(store, object), unzipped);
    for await (const line of readLines(unzipped)) {
      const entry = CoveredVersion.parse(JSON.parse(line));
      if (after === undefined || compareByteOrder(entry.key, after) > 0) yield entry;
    }
    await read;
  }
}

async function openSlice(store: ObjectStore, key: string) {
  const stored = await store.readStream(key);
  if (stored !== undefined) return stored;
  throw new Condition(
    'SliceMissing',
    `s3://${store.bucket}/${key} is not there, though frozen.json names it`,
  );
}
