import { inflateRawSync } from 'node:zlib';
import { directoryOf, type FileEnds } from '../file-kind/zip-names.ts';

/** Cap on an entry that is read, and on all of them. */
const MAX_ENTRY_BYTES = 16_000_000;
const MAX_BYTES = 64_000_000;
const HEADER = 46;
const LOCAL_HEADER = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Contents of the entries of a ZIP archive with matching names, as far as its last bytes hold them.
 *
 * @returns undefined if one of them isn't there, or can't be read
 */
export function zipEntries(file: FileEnds, wanted: RegExp): ReadonlyMap<string, Buffer> | undefined {
  const tail = bufferOf(file.tail ?? new Uint8Array());
  const listed = directoryOf(tail, file.sizeBytes);
  if (listed === undefined) return undefined;
  const directory = bufferOf(listed);
  const found = new Map<string, Buffer>();
  let bytes = 0;
  for (let at = 0; at + HEADER <= directory.length;) {
    const end = at + HEADER + directory.readUInt16LE(at + 28);
    const name = directory.subarray(at + HEADER, end).toString();
    if (wanted.test(name)) {
      const content = contentOf(tail, directory.readUInt32LE(at + 42) - (file.sizeBytes - tail.length), {
        method: directory.readUInt16LE(at + 10),
        packed: directory.readUInt32LE(at + 20),
      });
      if (content === undefined || (bytes += content.length) > MAX_BYTES) return undefined;
      found.set(name, content);
    }
    at = end + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return found;
}

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length);

function contentOf(
  tail: Buffer,
  at: number,
  { method, packed }: { readonly method: number; readonly packed: number },
): Buffer | undefined {
  if (at < 0 || at + LOCAL_HEADER > tail.length) return undefined;
  const start = at + LOCAL_HEADER + tail.readUInt16LE(at + 26) + tail.readUInt16LE(at + 28);
  if (start + packed > tail.length || packed > MAX_ENTRY_BYTES) return undefined;
  const bytes = tail.subarray(start, start + packed);
  if (method === STORED) return bytes;
  if (method !== DEFLATED) return undefined;
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_ENTRY_BYTES });
  } catch {
    // A damaged file is the container's to refuse.
    return undefined;
  }
}
