import { constants } from 'node:buffer';
import { OutputError } from './output-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {OutputError} if the bytes are not UTF-8, or more than a string can hold */
export function toText(bytes: Uint8Array): string {
  const { MAX_STRING_LENGTH } = constants;
  if (bytes.length > MAX_STRING_LENGTH) {
    const message = `the output has ${bytes.length} bytes, at most ${MAX_STRING_LENGTH} can be read at once: split the input into several files`;
    throw new OutputError('unreadable-output', message);
  }
  try {
    return utf8.decode(bytes);
  } catch {
    throw new OutputError('unreadable-output', 'the output is not UTF-8 text');
  }
}
