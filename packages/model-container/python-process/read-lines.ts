import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** A longer line comes in pieces of this length: one without an end would be held until memory runs out. */
const MAX_LINE_LENGTH = 65_536;

/** Hands over the lines of a program's output; the last one when the stream closes. */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let held = '';
  const take = (text: string): void => {
    // A carriage return at the end may be half of a line break.
    const lines = (held + text).split(/\r\n|\n|\r(?!$)/);
    held = lines.pop() ?? '';
    lines.forEach(cut);
    while (held.length > MAX_LINE_LENGTH) {
      onLine(held.slice(0, MAX_LINE_LENGTH));
      held = held.slice(MAX_LINE_LENGTH);
    }
  };
  const cut = (line: string): void => {
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE_LENGTH)
      onLine(line.slice(at, at + MAX_LINE_LENGTH));
  };
  stream.on('data', (piece: Buffer) => take(decoder.write(piece)));
  stream.on('end', () => {
    take(decoder.end());
    if (held !== '') onLine(held.replace(/\r$/, ''));
  });
}
