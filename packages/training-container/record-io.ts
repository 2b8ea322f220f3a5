/** Begins each record of MXNet's RecordIO. */
const MAGIC = 0xced7230a;
const HEADER_BYTES = 8;
/** Three bits of the length's word are a flag; 0 is a whole record. */
const MAX_RECORD_BYTES = 2 ** 29 - 1;

/**
 * An object as one record of RecordIO: magic number, length (both little-endian), bytes, zeros up to a multiple of four.
 *
 * @throws {RangeError} if it has 512 MiB or more
 */
export function toRecord(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_RECORD_BYTES)
    throw new RangeError(
      `RecordWrapperType RecordIO: an object must have at most ${MAX_RECORD_BYTES} bytes, has ${bytes.length}: send it without the wrapper`,
    );
  const record = Buffer.alloc(HEADER_BYTES + Math.ceil(bytes.length / 4) * 4);
  record.writeUInt32LE(MAGIC, 0);
  record.writeUInt32LE(bytes.length, 4);
  record.set(bytes, HEADER_BYTES);
  return record;
}
