import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { compareByteOrder } from '../../text/byte-order.ts';
import type { JobRecord } from '../../transform/job-record.ts';
import { type OutputMapping, toOutputKey } from '../../transform/output-key.ts';
import type { CountedPlan } from './outputs.ts';

/**
 * Whether a job of neighboring inputs has left any output: usually one request. True is always right; false only misses outputs of
 * inputs with a key that is a prefix of the job's last key. The pilot's outputs, in between the others, aren't the job's.
 */
export async function leftOutputs(
  store: ObjectStore,
  mapping: OutputMapping,
  { pilot }: CountedPlan,
  { firstKey, lastKey }: JobRecord,
): Promise<boolean> {
  const others = new Set(pilot);
  const { inputPrefix, outputPrefix } = mapping;
  const last = toOutputKey(lastKey, mapping);
  const startAfter = `${outputPrefix}${firstKey.slice(inputPrefix.length)}`;
  for await (const { key } of store.list(outputPrefix, { startAfter })) {
    const source = `${inputPrefix}${key.slice(outputPrefix.length, -'.out'.length)}`;
    const isWithin = compareByteOrder(source, firstKey) >= 0 && compareByteOrder(source, lastKey) <= 0;
    if (isWithin && !others.has(source)) return true;
    if (compareByteOrder(key, last) > 0) return false;
  }
  return false;
}
