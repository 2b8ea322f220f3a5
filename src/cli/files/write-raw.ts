import { isUtf8 } from 'node:buffer';
import type { Writable } from 'node:stream';
import { UsageError } from '../usage-error.ts';

/** Control characters could command a terminal; white space is text. */
const COMMANDS = /(?!\s)\p{Cc}/u;

/**
 * Writes a container's own answer: unchanged into a pipe or file; on a terminal, and between several, with a newline after it.
 *
 * @throws {UsageError} if the answer is not text, and is for a terminal or one of several
 */
export function writeRaw(
  bytes: Uint8Array,
  { file, several }: { readonly file: string; readonly several: boolean },
  output: Writable & { readonly isTTY?: boolean },
): void {
  if (!several && output.isTTY !== true) {
    output.write(bytes);
    return;
  }
  const text = Buffer.from(bytes).toString();
  if (!isUtf8(bytes) || COMMANDS.test(text)) {
    const what = `${file}: the answer is ${bytes.length} bytes that are not text`;
    throw new UsageError(
      several
        ? `${what}: ask about one file at a time`
        : `${what}: send it to a file with > FILE, or into a pipe`,
    );
  }
  output.write(text.endsWith('\n') ? text : `${text}\n`);
}
