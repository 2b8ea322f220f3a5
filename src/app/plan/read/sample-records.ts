import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { InputPlace } from '../../../input/input.ts';
import type { SampledInput } from '../../../plan/judge/judge-processing.ts';
import { openInput } from '../../records/open-input.ts';

/** A longer record is not checked before the run. */
const MAX_BYTES = 8_000_000;
/** Cap on the bytes read after the first record. */
const ENOUGH_BYTES = 64_000;
const MAX_RECORDS = 10;
const AT_ONCE = 4;
const NEWLINE = 10;

/** The first records of some inputs; inputs that are gone, empty, or begin with a very long record are left out. */
export async function sampleRecords(
  store: ObjectStore,
  inputs: readonly InputPlace[],
  lines: boolean,
): Promise<SampledInput[]> {
  const found: SampledInput[] = [];
  for await (const [{ name }, [first, ...more]] of inOrder(inputs, AT_ONCE, async (input) => {
    const stream = await openInput(store, input);
    return stream === undefined ? [] : readFirst(stream, lines);
  })) {
    if (first !== undefined) found.push({ key: name, records: [first, ...more] });
  }
  return found;
}

async function readFirst(stream: AsyncIterable<Uint8Array>, lines: boolean): Promise<readonly string[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let newlines = 0;
  let ended = true;
  for await (const chunk of stream) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES && newlines === 0) return [];
    if (!lines) continue;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) newlines++;
    if (newlines < MAX_RECORDS && (newlines === 0 || size < ENOUGH_BYTES)) continue;
    ended = false;
    break;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  // The text after the last newline may be only the beginning of a record: reading has stopped there.
  const records = lines ? text.split('\n').slice(0, ended ? undefined : -1) : [text];
  return records
    .map((record) => record.trim())
    .filter((record) => record !== '')
    .slice(0, MAX_RECORDS);
}
