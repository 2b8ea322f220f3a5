import { readSync } from 'node:fs';

const READ_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Hands over every whole line of a file with its number, from 1 on, until `visit` gives false.
 *
 * @returns how many lines were read, and their length; a last line without a newline is left out
 */
export function readLines(
  fd: number,
  visit: (line: string, number: number) => boolean | void,
): { readonly bytes: number; readonly lines: number } {
  let rest = Buffer.alloc(0);
  let bytes = 0;
  let lines = 0;
  const chunk = Buffer.alloc(READ_BYTES);
  for (let position = 0; ;) {
    const read = readSync(fd, chunk, 0, READ_BYTES, position);
    if (read === 0) return { bytes, lines };
    position += read;
    const block =
      rest.length === 0 ? chunk.subarray(0, read) : Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = block.indexOf(NEWLINE); end !== -1; end = block.indexOf(NEWLINE, start)) {
      lines += 1;
      bytes += end + 1 - start;
      if (visit(block.toString('utf8', start, end), lines) === false) return { bytes, lines };
      start = end + 1;
    }
    rest = Buffer.from(block.subarray(start));
  }
}

const CODES = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE']);

/** No room on the disk or none left for this user, or no descriptor: what a later try may find. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
}
