import type { ObjectStore } from '../../aws/object-store.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { ManifestChunk } from '../../transform/manifest-chunk.ts';
import type { ChunkListing } from '../../transform/reconcile-chunk.ts';
import { listInputs } from '../records/current-inputs.ts';

/** Where a chunk's objects lie. */
interface ChunkPlaces {
  readonly inputBucket: string;
  readonly inputPrefix: string;
  readonly outputPrefix: string;
}

/** What S3 holds now for a chunk of the manifest. */
export async function listChunk(
  store: ObjectStore,
  chunk: ManifestChunk,
  places: ChunkPlaces,
): Promise<ChunkListing> {
  const [outputs, inputs] = await Promise.all([
    listOutputs(store, chunk, places.outputPrefix),
    listInputs(store.in(places.inputBucket), chunk, places.inputPrefix),
  ]);
  return { outputs, inputs };
}

async function listOutputs(
  store: ObjectStore,
  chunk: ManifestChunk,
  prefix: string,
): Promise<Map<string, number>> {
  const outputs = new Map<string, number>();
  const { outputsAfter, outputsThrough, detached } = chunk;
  const through = (key: string): boolean =>
    outputsThrough === undefined || compareByteOrder(key, outputsThrough) <= 0;
  for await (const { key, size } of store.list(
    prefix,
    outputsAfter === undefined ? {} : { startAfter: outputsAfter },
  )) {
    if (!through(key)) break;
    outputs.set(key, size);
  }
  for (const key of detached) {
    const found = await store.describe(key);
    if (found !== undefined) outputs.set(key, found.size);
  }
  return outputs;
}
