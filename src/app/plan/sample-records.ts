import type { ObjectStore } from '../../aws/object-store.ts';
import type { SampledRecord } from '../../plan/sampled-records.ts';
import { inOrder } from '../run/in-order.ts';

/** A longer record is not looked at before the run. */
const MOST_BYTES = 8_000_000;
const AT_ONCE = 4;
const NEWLINE = 10;

/** The first record of each of some inputs; those that are gone, empty or very long are left out. */
export async function sampleRecords(
  store: ObjectStore,
  keys: readonly string[],
  lines: boolean,
): Promise<SampledRecord[]> {
  const found: SampledRecord[] = [];
  for await (const [key, text] of inOrder(keys, AT_ONCE, async (key) => {
    const stream = await store.readStream(key);
    return stream === undefined ? undefined : readFirstRecord(stream, lines);
  })) {
    if (text !== undefined) found.push({ key, text });
  }
  return found;
}

async function readFirstRecord(
  stream: AsyncIterable<Uint8Array>,
  lines: boolean,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const end = lines ? chunk.indexOf(NEWLINE) : -1;
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
    size += chunk.length;
    if (end >= 0) break;
    if (size > MOST_BYTES) return undefined;
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  return text === '' ? undefined : text;
}
