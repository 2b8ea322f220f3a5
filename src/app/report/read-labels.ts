import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { LabelRow } from '../../label/label-row.ts';
import { rangeOf, readSortedRows } from '../../label/sorted-labels.ts';
import { Condition } from '../../problem/conditions.ts';
import { labelIndexJson } from '../records/labels.ts';

const CONCURRENT_READS = 4;

/**
 * The rows of a run's label file for a stretch of keys, and a few around it, in the order of the file for each key.
 *
 * @throws {RunFileMissing}
 */
export async function* readLabels(
  store: ObjectStore,
  index: string,
  keys: { readonly first: string; readonly last: string },
): AsyncGenerator<Iterable<LabelRow>> {
  const { parts } = await labelIndexJson(index).require(store);
  const texts = inOrder(parts, CONCURRENT_READS, async (part) => {
    const range = rangeOf(part, keys);
    return range === undefined ? undefined : store.readBytes(part.object, range);
  });
  for await (const [part, bytes] of texts) {
    if (bytes !== undefined) yield readSortedRows(Buffer.from(bytes).toString());
    else if (rangeOf(part, keys) !== undefined)
      throw new Condition('RunFileMissing', `${part.object} is not there`);
  }
}
