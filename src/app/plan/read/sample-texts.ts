import type { ObjectStore } from '../../../aws/s3/object-store.ts';
import { inOrder } from '../../../concurrency/in-order.ts';
import type { InputPlace } from '../../../input/input.ts';
import type { SampledText } from '../../../plan/judge/judge-requests.ts';
import { openInput } from '../../records/open-input.ts';

/** A longer input is not checked before the run. */
const MAX_BYTES = 8_000_000;
const AT_ONCE = 4;

/** The texts of some inputs; those that are gone, blank or very long are left out. */
export async function sampleTexts(store: ObjectStore, inputs: readonly InputPlace[]): Promise<SampledText[]> {
  const found: SampledText[] = [];
  for await (const [{ name: key }, text] of inOrder(inputs, AT_ONCE, (input) => readText(store, input)))
    if (text !== '') found.push({ key, text });
  return found;
}

async function readText(store: ObjectStore, input: InputPlace): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (await openInput(store, input)) ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) return '';
  }
  return Buffer.concat(chunks).toString().trim();
}
