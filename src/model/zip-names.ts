/** Beginning and end of a file; of a short file both are the whole. */
export interface FileEnds {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
  readonly sizeBytes: number;
}

const END_OF_DIRECTORY = 22;

/**
 * Names in a ZIP archive by the directory at its end, or by the entries at its beginning where `tail` does not hold the directory;
 * undefined for a file that is no ZIP archive.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zipNames({ head, tail, sizeBytes }: FileEnds):
  | {
      readonly names: readonly string[];
      readonly isWhole: boolean;
    }
  | undefined {
  const first = Buffer.from(head.buffer, head.byteOffset, head.length);
  if (first.length < 4 || first.readUInt32LE(0) !== 0x04034b50) return undefined;
  const last = Buffer.from(tail.buffer, tail.byteOffset, tail.length);
  const end = last.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end >= 0 && end + END_OF_DIRECTORY <= last.length) {
    const length = last.readUInt32LE(end + 12);
    // Counted back from its end: an archive of more than 4 GiB has another record in between, and its place elsewhere.
    const start = last.lastIndexOf('PK\u0006\u0006', end, 'latin1');
    const from = (start >= 0 ? start : end) - length;
    if (from >= 0 && sizeBytes >= last.length) {
      const names = entryNames(last.subarray(from, from + length), 'PK\u0001\u0002', 28, 46);
      if (names.length > 0) return { names, isWhole: true };
    }
  }
  return { names: entryNames(first, 'PK\u0003\u0004', 26, 30), isWhole: false };
}

/** Names behind each signature; the length of a name and the name itself lie at fixed distances from it. */
function entryNames(bytes: Buffer, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  for (
    let at = bytes.indexOf(signature, 0, 'latin1');
    at >= 0 && at + nameAt <= bytes.length;
    at = bytes.indexOf(signature, at + nameAt, 'latin1')
  ) {
    const length = bytes.readUInt16LE(at + lengthAt);
    names.push(bytes.subarray(at + nameAt, at + nameAt + length).toString());
  }
  return names;
}
