import { ByteCursor } from './byte-cursor.ts';
import { crc32c, maskChecksum } from './crc32c.ts';
import { BrokenModel } from './servable-model.ts';
import { decompressSnappy } from './snappy.ts';

const FOOTER_BYTES = 48;
const MAGIC_LOW = 0x8b80fb57;
const MAGIC_HIGH = 0xdb477524;

interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/**
 * All entries of a LevelDB table in key order; keys as Latin-1 text, because TensorFlow writes bytes into some.
 * https://github.com/google/leveldb/blob/main/doc/table_format.md
 *
 * @throws {BrokenModel} if the table is damaged; each block's checksum is verified
 */
export function readTable(file: Uint8Array, name: string): Map<string, Uint8Array> {
  if (file.length < FOOTER_BYTES) throw new BrokenModel(`${name}: ${file.length} bytes are not a table`);
  const footer = new ByteCursor(file.subarray(-FOOTER_BYTES), name);
  readHandle(footer); // the block of filters, which TensorFlow leaves empty
  const index = readHandle(footer);
  footer.position = FOOTER_BYTES - 8;
  if (footer.uint(4) !== MAGIC_LOW || footer.uint(4) !== MAGIC_HIGH)
    throw new BrokenModel(`${name}: does not end like a table`);
  const entries = new Map<string, Uint8Array>();
  for (const [, handle] of readBlock(file, index, name)) {
    for (const [key, value] of readBlock(file, readHandle(new ByteCursor(handle, name)), name))
      entries.set(key, value);
  }
  return entries;
}

function readHandle(cursor: ByteCursor): BlockHandle {
  return { offset: cursor.varint(), size: cursor.varint() };
}

function readBlock(file: Uint8Array, { offset, size }: BlockHandle, name: string): [string, Uint8Array][] {
  const cursor = new ByteCursor(file, name, offset);
  const stored = cursor.take(size);
  const compression = cursor.uint(1);
  const checksum = cursor.uint(4);
  if (maskChecksum(crc32c(file.subarray(offset, offset + size + 1))) !== checksum)
    throw new BrokenModel(`${name}: checksum of the block at ${offset} does not match`);
  if (compression > 1) throw new BrokenModel(`${name}: unknown compression ${compression}`);
  const block = compression === 1 ? decompressSnappy(stored) : stored;
  return readEntries(block, name);
}

/** Each key is written as what it shares with the key before, and the rest; restart points at the end are skipped. */
function readEntries(block: Uint8Array, name: string): [string, Uint8Array][] {
  const restarts = new ByteCursor(block, name, block.length - 4).uint(4);
  const cursor = new ByteCursor(block.subarray(0, Math.max(0, block.length - 4 - 4 * restarts)), name);
  const entries: [string, Uint8Array][] = [];
  let key = '';
  while (!cursor.atEnd()) {
    const shared = cursor.varint();
    const rest = cursor.varint();
    const valueSize = cursor.varint();
    if (shared > key.length) throw new BrokenModel(`${name}: key shares ${shared} of ${key.length} bytes`);
    key = key.slice(0, shared) + Buffer.from(cursor.take(rest)).toString('latin1');
    entries.push([key, cursor.take(valueSize)]);
  }
  return entries;
}
