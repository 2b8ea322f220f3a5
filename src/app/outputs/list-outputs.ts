import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { ManifestChunk } from '../../transform/manifest-chunk.ts';

/** Sizes in bytes of the outputs in a chunk's stretch of the listing, and of those that are listed elsewhere, by key. */
export async function listOutputs(
  store: ObjectStore,
  {
    outputsAfter,
    outputsThrough,
    detached,
  }: Pick<ManifestChunk, 'outputsAfter' | 'outputsThrough' | 'detached'>,
  prefix: string,
): Promise<Map<string, number>> {
  const outputs = new Map<string, number>();
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
