import { OutputError } from './output-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {OutputError} where the bytes are no UTF-8 */
export function toText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new OutputError('unreadable-output', 'the output is not UTF-8 text');
  }
}
