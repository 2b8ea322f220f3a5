import { clientError } from './object-failure.ts';
import type { InputRecord, SplitType } from './split-records.ts';

interface BatchSettings {
  readonly splitType: SplitType;
  readonly strategy: 'MultiRecord' | 'SingleRecord';
  /** `Infinity` is unlimited. */
  readonly maxPayloadBytes: number;
  /** Filter that produces the text to send instead of a record. */
  readonly filter?: ((record: InputRecord) => InputRecord) | undefined;
}

/** One request body, and the records that it was made of, unfiltered. */
export interface MiniBatch {
  readonly body: Buffer;
  readonly records: readonly InputRecord[];
}

/**
 * Groups records into request bodies, in order: one record each, or as many whole ones as fit.
 *
 * @throws {ObjectFailure} if a single record is over the limit
 */
export async function* toMiniBatches(
  source: AsyncIterable<readonly InputRecord[]>,
  { splitType, strategy, maxPayloadBytes, filter = (record) => record }: BatchSettings,
): AsyncGenerator<MiniBatch> {
  const single = strategy === 'SingleRecord' || splitType === 'None';
  let bodies: Buffer[] = [];
  let batched: InputRecord[] = [];
  let size = 0;
  for await (const records of source) {
    for (const record of records) {
      const { framed, payload } = filter(record);
      const body = single ? payload : framed;
      if (body.length > maxPayloadBytes)
        throw clientError(
          `${body.length} bytes is over the limit of ${maxPayloadBytes} bytes (MaxPayloadInMB)`,
        );
      if (single) {
        yield { body, records: [record] };
        continue;
      }
      if (bodies.length > 0 && size + body.length > maxPayloadBytes) {
        yield { body: Buffer.concat(bodies), records: batched };
        [bodies, batched, size] = [[], [], 0];
      }
      bodies.push(body);
      batched.push(record);
      size += body.length;
    }
  }
  if (bodies.length > 0) yield { body: Buffer.concat(bodies), records: batched };
}
