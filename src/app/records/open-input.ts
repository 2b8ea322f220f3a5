import type { ByteRange, ObjectStore } from '../../aws/s3/object-store.ts';
import type { InputPlace } from '../../input/input.ts';

/**
 * Opens an input's bytes, or a range of them; undefined if its object is not there, or if the tar that it lies in is another one by now.
 * Always use this: the name of an input is not always the key of an object.
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

/** Reads an input, or a range of it, into memory; undefined as `openInput` has it. */
export async function readInput(
  store: ObjectStore,
  place: InputPlace,
  range?: ByteRange,
): Promise<Uint8Array | undefined> {
  const { source, key, bytes } = placeOf(store, place, range);
  if (bytes !== undefined && bytes.start >= bytes.end) return new Uint8Array();
  return source.readBytes(key, bytes);
}

/** Most bytes that one request reads of a tar, and most between two of its members. */
const NEIGHBORS_BYTES = 2 ** 20;
const GAP_BYTES = 2 ** 16;

/** Members or records next to each other, with the bytes of all while some are yet to be read. */
interface Neighbors {
  readonly source: ObjectStore;
  readonly object: string;
  /** Undefined for a staged copy. */
  readonly etag: string | undefined;
  readonly start: number;
  end: number;
  left: number;
  bytes?: Promise<Uint8Array | undefined> | undefined;
}

/** Reads each of some inputs once, in about their order; one request reads small neighboring members of a tar, or records of a table. */
export function neighborReader(
  store: ObjectStore,
  inputs: Iterable<InputPlace>,
): (input: InputPlace) => Promise<Uint8Array | undefined> {
  const groups = new Map<InputPlace, Neighbors>();
  let open: Neighbors | undefined;
  for (const input of inputs) {
    if (input.member === undefined) continue;
    const { source, key: object, bytes } = placeOf(store, input);
    if (bytes === undefined) continue;
    const { start, end, etag } = bytes;
    const isNext = open?.object === object && start >= open.end && start - open.end <= GAP_BYTES;
    if (open === undefined || !isNext || end - open.start > NEIGHBORS_BYTES)
      open = { source, object, etag, start, end, left: 0 };
    open.end = end;
    open.left += 1;
    groups.set(input, open);
  }
  return async (input) => {
    const { member } = input;
    const group = groups.get(input);
    if (group === undefined || member === undefined) return readInput(store, input);
    const { source, object, etag, start, end } = group;
    if (start >= end) return new Uint8Array();
    const reading = (group.bytes ??= source.readBytes(object, {
      start,
      end,
      ...(etag !== undefined && { etag }),
    }));
    group.left -= 1;
    if (group.left === 0) group.bytes = undefined;
    const bytes = await reading;
    // A copy, since a part that is posted to another thread takes all of its bytes along.
    return bytes && new Uint8Array(bytes.subarray(member.start - start, member.end - start));
  };
}

/** The object, and the bytes of it. */
function placeOf(
  store: ObjectStore,
  { name, member }: InputPlace,
  range?: ByteRange,
): { readonly source: ObjectStore; readonly key: string; readonly bytes: ByteRange | undefined } {
  if (member === undefined) return { source: store, key: name, bytes: range };
  const { object, etag, start, end, unpacked } = member;
  const bytes =
    range === undefined
      ? { start, end }
      : { start: start + range.start, end: Math.min(end, start + range.end) };
  return unpacked === undefined
    ? { source: store, key: object, bytes: { ...bytes, etag } }
    : { source: store.in(unpacked.bucket), key: unpacked.key, bytes };
}
