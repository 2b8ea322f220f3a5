import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import { answerOf } from '../../input/file-place.ts';
import type { RecordTexts } from '../../report/page/gallery.ts';
import type { Report } from '../../report/report.ts';
import { readInput } from '../records/open-input.ts';

/** Bytes of a record that are enough for the page. */
const ENOUGH_BYTES = 1_200;
const CONCURRENT_READS = 4;

/** Reads the beginnings of some mistakes. */
export async function readRecordTexts(
  store: ObjectStore,
  mistakes: readonly Report['mistakes'][number][],
): Promise<RecordTexts> {
  const texts = new Map<Report['mistakes'][number], string>();
  const byName = Map.groupBy(mistakes, (mistake) => answerOf(mistake).name);
  const read = ([name, [first]]: readonly [string, Report['mistakes']]): Promise<Uint8Array | undefined> =>
    readInput(store, { name, member: first?.member }, { start: 0, end: ENOUGH_BYTES + 1 });
  for await (const [[, wanted], bytes] of inOrder(byName, CONCURRENT_READS, read)) {
    for (const mistake of wanted) {
      // The place of a later record in a document depends on the model.
      if (bytes !== undefined && answerOf(mistake).answer === 0) texts.set(mistake, textOf(bytes));
    }
  }
  return texts;
}

function textOf(record: Uint8Array): string {
  const text = Buffer.from(record.subarray(0, ENOUGH_BYTES)).toString().replace(/\s+/g, ' ').trim();
  return record.length > ENOUGH_BYTES ? `${text}…` : text;
}
