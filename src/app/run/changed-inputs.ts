import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { ManifestEntry } from '../../drop/manifest-entry.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import { listInputs } from '../records/current-inputs.ts';

const CHUNK_ENTRIES = 10_000;
const CONCURRENT_CHUNKS = 4;

/** An input that differs from its manifest entry. */
export interface ChangedInput {
  readonly key: string;
  readonly change: 'deleted' | 'overwritten';
}

/** Compares a manifest with S3's current state; memory holds a few chunks of it. */
export async function* findChangedInputs(
  source: ObjectStore,
  prefix: string,
  manifest: AsyncIterable<ManifestEntry>,
): AsyncGenerator<ChangedInput> {
  const compared = inOrder(inChunks(manifest), CONCURRENT_CHUNKS, (entries) =>
    listInputs(source, { entries: entries.toSorted((a, b) => compareByteOrder(a.key, b.key)) }, prefix),
  );
  for await (const [entries, current] of compared) {
    for (const { key, etag, lastModified } of entries) {
      const now = current.get(key);
      if (now === undefined) yield { key, change: 'deleted' };
      else if (now.etag !== etag || now.lastModified.getTime() !== Date.parse(lastModified))
        yield { key, change: 'overwritten' };
    }
  }
}

async function* inChunks(manifest: AsyncIterable<ManifestEntry>): AsyncGenerator<ManifestEntry[]> {
  let chunk: ManifestEntry[] = [];
  for await (const entry of manifest) {
    chunk.push(entry);
    if (chunk.length < CHUNK_ENTRIES) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
