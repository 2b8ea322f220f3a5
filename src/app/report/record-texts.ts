import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { inOrder } from '../../concurrency/in-order.ts';
import type { RecordTexts } from '../../report/page/gallery.ts';
import type { Report } from '../../report/report.ts';
import { readInput } from '../records/open-input.ts';

/** Cap on the bytes read of a file; for a record beyond it the page shows only its place. */
const MAX_BYTES = 8_000_000;
/** Bytes of a record that are enough for the page. */
const ENOUGH_BYTES = 1_200;
const CONCURRENT_READS = 4;
const NEWLINE = 0x0a;

/** Reads the records of some mistakes: lines of their files, or the beginnings of files that are not split. */
export async function readRecordTexts(
  store: ObjectStore,
  mistakes: readonly Report['mistakes'][number][],
  lines: boolean,
): Promise<RecordTexts> {
  const texts = new Map<Report['mistakes'][number], string>();
  const byKey = Map.groupBy(mistakes, ({ key }) => key);
  const read = ([name, [first]]: readonly [string, Report['mistakes']]): Promise<Uint8Array | undefined> =>
    readInput(
      store,
      { name, member: first?.member },
      { start: 0, end: lines ? MAX_BYTES : ENOUGH_BYTES + 1 },
    );
  for await (const [[, wanted], bytes] of inOrder(byKey, CONCURRENT_READS, read)) {
    for (const mistake of wanted) {
      // The place of a later record in a document depends on the model.
      if (bytes === undefined || (!lines && mistake.recordIndex > 0)) continue;
      const record = lines ? lineAt(bytes, mistake.recordIndex) : bytes;
      if (record !== undefined) texts.set(mistake, textOf(record));
    }
  }
  return texts;
}

/** Undefined if the bytes do not hold the whole line. */
function lineAt(bytes: Uint8Array, index: number): Uint8Array | undefined {
  let start = 0;
  for (let line = 0; line < index; line++) {
    start = bytes.indexOf(NEWLINE, start) + 1;
    if (start === 0) return undefined;
  }
  const newline = bytes.indexOf(NEWLINE, start);
  if (newline < 0 && bytes.length === MAX_BYTES) return undefined;
  return bytes.subarray(start, newline < 0 ? undefined : newline);
}

function textOf(record: Uint8Array): string {
  const text = Buffer.from(record.subarray(0, ENOUGH_BYTES)).toString().replace(/\s+/g, ' ').trim();
  return record.length > ENOUGH_BYTES ? `${text}…` : text;
}
