import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { parsedJson } from '../../text/parse-json.ts';
import { BundleHead } from '../../transform/output-bundle.ts';
import type { SentBundle } from './bundle-lists.ts';

/** A head is only longer if a bundle has hundreds of failures. */
const HEAD_BYTES = 4_096;
const NEWLINE = 10;

/**
 * Reads the first line of a bundle's answers.
 *
 * @throws {ZodError} if it is no head
 */
export async function readBundleHead(
  store: ObjectStore,
  { output, outputBytes = 0 }: Pick<SentBundle, 'output' | 'outputBytes'>,
): Promise<BundleHead | undefined> {
  for (let bytes = HEAD_BYTES; ; bytes *= 16) {
    const end = Math.min(bytes, outputBytes);
    if (end === 0) return undefined;
    const read = await store.readBytes(output, { start: 0, end });
    if (read === undefined) return undefined;
    const length = read.indexOf(NEWLINE);
    if (length < 0 && end < outputBytes) continue;
    const text = Buffer.from(read).toString('utf8', 0, length < 0 ? read.length : length);
    return BundleHead.parse(parsedJson(text));
  }
}
