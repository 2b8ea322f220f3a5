import type { ObjectStore } from '../../aws/s3/object-store.ts';
import type { InputPlace } from '../../input/input.ts';

/** A range of bytes, `end` exclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Opens an input's bytes, or a range of them; undefined if its object is not there. Always use this: the name of an input is not always
 * the key of an object.
 */
export async function openInput(
  store: ObjectStore,
  place: InputPlace,
  range?: ByteRange,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const { source, key, bytes } = placeOf(store, place, range);
  // S3 refuses a range without bytes.
  if (bytes !== undefined && bytes.start >= bytes.end) return (async function* () {})();
  return source.readStream(key, bytes);
}

/** Reads an input, or a range of it, into memory; undefined if its object is not there. */
export async function readInput(
  store: ObjectStore,
  place: InputPlace,
  range?: ByteRange,
): Promise<Uint8Array | undefined> {
  const { source, key, bytes } = placeOf(store, place, range);
  if (bytes !== undefined && bytes.start >= bytes.end) return new Uint8Array();
  return source.readBytes(key, bytes);
}

/** The object, and the bytes of it. */
function placeOf(
  store: ObjectStore,
  { name, member }: InputPlace,
  range?: ByteRange,
): { readonly source: ObjectStore; readonly key: string; readonly bytes: ByteRange | undefined } {
  if (member === undefined) return { source: store, key: name, bytes: range };
  const { object, start, end, unpacked } = member;
  const bytes =
    range === undefined
      ? { start, end }
      : { start: start + range.start, end: Math.min(end, start + range.end) };
  return unpacked === undefined
    ? { source: store, key: object, bytes }
    : { source: store.in(unpacked.bucket), key: unpacked.key, bytes };
}
