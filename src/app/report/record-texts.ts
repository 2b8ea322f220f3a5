import type { ObjectStore } from '../../aws/object-store.ts';
import type { RecordTexts } from '../../report/page/gallery.ts';
import { GALLERY_SIZE } from '../../report/page/gallery.ts';
import type { Report } from '../../report/report.ts';
import { inOrder } from '../run/in-order.ts';

/** No more of a file is read; of a record that lies beyond, the page tells the place alone. */
const MOST_BYTES = 8_000_000;
/** Enough for what the page shows of a record. */
const ENOUGH_BYTES = 1_200;
const CONCURRENT_READS = 4;
const NEWLINE = 0x0a;

/** Reads the lines of the mistakes that the page shows, from files with a record a line. */
export async function readRecordTexts(
  store: ObjectStore,
  mistakes: Report['mistakes'],
): Promise<RecordTexts> {
  const texts = new Map<Report['mistakes'][number], string>();
  const byKey = Map.groupBy(mistakes.slice(0, GALLERY_SIZE), ({ key }) => key);
  const read = ([key]: readonly [string, unknown]): Promise<Uint8Array | undefined> =>
    store.readBytes(key, { start: 0, end: MOST_BYTES });
  for await (const [[, wanted], bytes] of inOrder(byKey, CONCURRENT_READS, read)) {
    for (const mistake of wanted) {
      const line = bytes && lineAt(bytes, mistake.recordIndex);
      if (line !== undefined) texts.set(mistake, line);
    }
  }
  return texts;
}

/** Undefined where the bytes do not hold the whole line. */
function lineAt(bytes: Uint8Array, index: number): string | undefined {
  let start = 0;
  for (let line = 0; line < index; line++) {
    start = bytes.indexOf(NEWLINE, start) + 1;
    if (start === 0) return undefined;
  }
  const newline = bytes.indexOf(NEWLINE, start);
  if (newline < 0 && bytes.length === MOST_BYTES) return undefined;
  const end = Math.min(newline < 0 ? bytes.length : newline, start + ENOUGH_BYTES);
  return Buffer.from(bytes.subarray(start, end)).toString().trim();
}
