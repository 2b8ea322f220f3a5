import { ByteCursor } from './byte-cursor.ts';
import { crc32c, maskChecksum } from './crc32c.ts';
import { BrokenModel } from './servable-model.ts';

/**
 * Strings as a checkpoint stores them: their lengths, a checksum of those, and the bytes. The tensor's own checksum is of the lengths as
 * 32-bit integers and of all that follows. tensorflow/core/util/tensor_bundle/tensor_bundle.cc, `WriteStringTensor`.
 *
 * @throws {BrokenModel} if they are cut off or damaged
 */
export function parseStrings(
  bytes: Uint8Array,
  count: number,
  checksum: number,
  where: string,
): Uint8Array[] {
  if (count > bytes.length) throw new BrokenModel(`${where}: ${count} strings in ${bytes.length} bytes`);
  const cursor = new ByteCursor(bytes, where);
  const lengths = Array.from({ length: count }, () => cursor.varint());
  const plain = new Uint8Array(4 * count);
  const view = new DataView(plain.buffer);
  lengths.forEach((length, index) => view.setUint32(4 * index, length, true));
  const start = cursor.position;
  if (maskChecksum(crc32c(plain)) !== cursor.uint(4))
    throw new BrokenModel(`${where}: the checksum of its lengths does not match`);
  const strings = lengths.map((length) => cursor.take(length).slice());
  if (!cursor.atEnd()) throw new BrokenModel(`${where}: bytes follow the last string`);
  if (maskChecksum(crc32c(Buffer.concat([plain, bytes.subarray(start)]))) !== checksum)
    throw new BrokenModel(`${where}: checksum does not match`);
  return strings;
}
