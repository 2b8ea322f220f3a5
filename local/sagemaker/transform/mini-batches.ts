import type { InputRecord, SplitType } from './split-records.ts';

export interface BatchSettings {
  readonly splitType: SplitType;
  readonly strategy: 'MultiRecord' | 'SingleRecord';
  /** 0 is unlimited. */
  readonly maxPayloadBytes: number;
}

/** A record, or an object that is not split, is larger than MaxPayloadInMB. */
class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

/** One request body, and how many records it holds. */
export interface MiniBatch {
  readonly body: Buffer;
  readonly records: number;
}

/**
 * Groups records into request bodies, in order: one record each, or as many whole ones as fit.
 *
 * @throws {PayloadTooLarge} if one record alone is over the limit
 */
export function toMiniBatches(
  records: readonly InputRecord[],
  settings: BatchSettings,
): readonly MiniBatch[] {
  const limit = settings.maxPayloadBytes === 0 ? Infinity : settings.maxPayloadBytes;
  const single = settings.strategy === 'SingleRecord' || settings.splitType === 'None';
  const bodies = records.map(({ framed, payload }) => (single ? payload : framed));
  for (const { length } of bodies) {
    if (length > limit)
      throw new PayloadTooLarge(`${length} bytes is over the limit of ${limit} bytes (MaxPayloadInMB)`);
  }
  if (single) return bodies.map((body) => ({ body, records: 1 }));
  const batches: Buffer[][] = [];
  let size = Infinity;
  for (const body of bodies) {
    if (size + body.length > limit) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(body);
    size += body.length;
  }
  return batches.map((batch) => ({ body: Buffer.concat(batch), records: batch.length }));
}
