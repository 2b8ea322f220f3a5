import type { ObjectStore } from '../../aws/object-store.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { ManifestChunk } from '../../transform/manifest-chunk.ts';
import type { ChunkListing, CurrentInput } from '../../transform/reconcile-chunk.ts';
import { keyBefore } from '../../transform/key-before.ts';

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

/**
 * Lists the inputs of the chunk; each page begins at the next key wanted, so that files of other generations in the same
 * prefix cost no requests of their own.
 */
export async function listInputs(
  store: ObjectStore,
  { entries }: { readonly entries: readonly { readonly key: string }[] },
  prefix: string,
): Promise<Map<string, CurrentInput>> {
  const wanted = entries.map(({ key }) => key);
  const inputs = new Map<string, CurrentInput>();
  let next = 0;
  let after: string | undefined;
  while (next < wanted.length) {
    const key = wanted[next] ?? '';
    const seek = keyBefore(key);
    const startAfter = after === undefined || compareByteOrder(after, seek) < 0 ? seek : after;
    const page = await store.listPage(prefix, { startAfter });
    for (const object of page.objects) {
      while (next < wanted.length && compareByteOrder(wanted[next] ?? '', object.key) < 0) next += 1;
      if (next >= wanted.length) return inputs;
      if (wanted[next] === object.key)
        inputs.set(object.key, { etag: object.etag, lastModified: object.lastModified });
    }
    after = page.objects.at(-1)?.key;
    if (after === undefined || page.continuation === undefined) return inputs;
    while (next < wanted.length && compareByteOrder(wanted[next] ?? '', after) <= 0) next += 1;
  }
  return inputs;
}
