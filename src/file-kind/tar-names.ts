import { asBinary } from './binary-text.ts';

const BLOCK = 512;

/** Names in a tar as far as its headers lie in its head; none for another file. */
export function tarNames(head: Uint8Array): readonly string[] {
  const names: string[] = [];
  for (let at = 0; isHeader(head, at);) {
    const header = asBinary(head.subarray(at, at + BLOCK));
    names.push(/^[^\0]{0,100}/.exec(header)?.[0] ?? '');
    const size = Number.parseInt(header.slice(124, 136), 8);
    // A size of 8 GiB and more is no text, and a negative one would never end.
    if (!(size >= 0)) break;
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return names;
}

function isHeader(head: Uint8Array, at: number): boolean {
  return asBinary(head.subarray(at + 257, at + 262)) === 'ustar';
}
