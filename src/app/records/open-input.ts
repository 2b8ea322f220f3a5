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
  const [key, bytes] = placeOf(place, range);
  // S3 refuses a range without bytes.
  if (bytes !== undefined && bytes.start >= bytes.end) return (async function* () {})();
  return store.readStream(key, bytes);
}

/** Reads an input, or a range of it, into memory; undefined if its object is not there. */
export async function readInput(
  store: ObjectStore,
  place: InputPlace,
  range?: ByteRange,
): Promise<Uint8Array | undefined> {
  const [key, bytes] = placeOf(place, range);
  if (bytes !== undefined && bytes.start >= bytes.end) return new Uint8Array();
  return store.readBytes(key, bytes);
}

/** The object, and the bytes of it. */
function placeOf({ name, member }: InputPlace, range?: ByteRange): [string, ByteRange | undefined] {
  if (member === undefined) return [name, range];
  const { object, start, end } = member;
  if (range === undefined) return [object, { start, end }];
  return [object, { start: start + range.start, end: Math.min(end, start + range.end) }];
}
