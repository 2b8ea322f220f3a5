import { asBinary } from './binary-text.ts';

/** Beginning and end of a file; of a short file both are the whole. */
export interface FileEnds {
  readonly head: Uint8Array;
  /** Only read of a ZIP archive, which has its directory there. */
  readonly tail?: Uint8Array;
  readonly sizeBytes: number;
}

/** First bytes of a ZIP archive, and of an empty one. */
export const ZIP_MARKS: readonly string[] = ['PK\u0003\u0004', 'PK\u0005\u0006'];
const END_OF_DIRECTORY = 22;
const utf8 = new TextDecoder();

/**
 * Names in a ZIP archive by the directory at its end, or by the entries at its beginning where `tail` does not hold the directory;
 * undefined for a file that is no ZIP archive.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zipNames({ head, tail = new Uint8Array(), sizeBytes }: FileEnds):
  | {
      readonly names: readonly string[];
      readonly isWhole: boolean;
    }
  | undefined {
  if (!ZIP_MARKS.includes(asBinary(head.subarray(0, 4)))) return undefined;
  const directory = directoryOf(tail, sizeBytes);
  const listed = directory === undefined ? [] : entryNames(directory, 'PK\u0001\u0002', 28, 46);
  if (listed.length > 0) return { names: listed, isWhole: true };
  return { names: entryNames(head, 'PK\u0003\u0004', 26, 30), isWhole: false };
}

/** The directory at the end of a ZIP archive, if `tail` holds it. */
export function directoryOf(tail: Uint8Array, sizeBytes: number): Uint8Array | undefined {
  const text = asBinary(tail);
  const end = text.lastIndexOf('PK\u0005\u0006');
  if (end < 0 || end + END_OF_DIRECTORY > tail.length) return undefined;
  const length = viewOf(tail).getUint32(end + 12, true);
  // Counted back from its end: an archive of more than 4 GiB has another record in between, and its place elsewhere.
  const start = text.lastIndexOf('PK\u0006\u0006', end);
  const from = (start >= 0 ? start : end) - length;
  return from >= 0 && sizeBytes >= tail.length ? tail.subarray(from, from + length) : undefined;
}

/** Names behind each signature; the length of a name and the name itself lie at fixed distances from it. */
function entryNames(bytes: Uint8Array, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  const [text, view] = [asBinary(bytes), viewOf(bytes)];
  for (
    let at = text.indexOf(signature);
    at >= 0 && at + nameAt <= bytes.length;
    at = text.indexOf(signature, at + nameAt)
  ) {
    const length = view.getUint16(at + lengthAt, true);
    names.push(utf8.decode(bytes.subarray(at + nameAt, at + nameAt + length)));
  }
  return names;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
