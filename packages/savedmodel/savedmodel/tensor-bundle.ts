import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { BFLOAT16, widenBfloat16 } from './bfloat16.ts';
import { ByteCursor } from './byte-cursor.ts';
import { crc32c, maskChecksum } from './crc32c.ts';
import { elementCount, tensorOfBytes } from './dense-tensor.ts';
import { resolveElementType, storedSizeBytes } from './element-type.ts';
import { readTable } from './leveldb-table.ts';
import { isSliceKey, sliceKey } from './ordered-code.ts';
import { BrokenModel, type Tensor, UnsupportedModel } from './servable-model.ts';
import { readShape, type Shape } from './tensor-proto.ts';
import {
  assembleSlices,
  type Box,
  boxOf,
  boxSize,
  parseShapeAndSlice,
  readSlice,
  type Slice,
  type StoredPart,
  wholeBox,
} from './tensor-slice.ts';
import { WireReader } from './wire-reader.ts';

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

/** A checkpoint's variables by name. */
export interface TensorBundle {
  readonly names: readonly string[];
  /**
   * Reads one variable and verifies its checksum.
   *
   * @param shapeAndSlice the part to read as `RestoreV2` names it, such as `6 4 0,2:-`; empty for the whole
   * @throws {BrokenModel} if it is absent, cut off or damaged
   */
  read(name: string, shapeAndSlice?: string): Tensor;
}

interface Entry {
  readonly type: number;
  readonly shape: Shape;
  readonly shard: number;
  readonly offset: number;
  readonly size: number;
  readonly checksum: number;
  /** If there are any, the data are not here but under the slices' own keys. */
  readonly slices: readonly Slice[];
}

/**
 * Opens `<prefix>.index` and its data files `<prefix>.data-0000i-of-0000n`.
 * tensorflow/core/util/tensor_bundle/tensor_bundle.h describes the format.
 *
 * @throws {BrokenModel} if the index is damaged
 */
export function openTensorBundle(prefix: string): TensorBundle {
  const table = readTable(readFileSync(`${prefix}.index`), 'variables.index');
  const header = table.get('');
  if (header === undefined) throw new BrokenModel('variables.index: has no header');
  const shards = readHeader(new WireReader(header));
  const entryOf = (key: string, where: string): Entry => {
    const encoded = table.get(key);
    if (encoded === undefined) throw new BrokenModel(`variables.index: has no ${where}`);
    return readEntry(new WireReader(encoded));
  };
  const five = (value: number) => String(value).padStart(5, '0');
  const dataFile = ({ shard }: Entry) => `${prefix}.data-${five(shard)}-of-${five(shards)}`;
  const readData = (entry: Entry, size: number, where: string): Uint8Array => {
    if (size !== entry.size)
      throw new BrokenModel(`${where}: its shape takes ${size} bytes, its data ${entry.size}`);
    const bytes = readRange(dataFile(entry), entry.offset, size, where);
    if (maskChecksum(crc32c(bytes)) !== entry.checksum)
      throw new BrokenModel(`${where}: checksum does not match`);
    return bytes;
  };
  return {
    names: [...table.keys()].filter((key) => key !== '' && !isSliceKey(key)),
    read(name, shapeAndSlice = '') {
      const where = `variable ${name}`;
      const entry = entryOf(name, where);
      const { shape, slices } = entry;
      const dtype = resolveElementType(entry.type, where);
      if (shape === null) throw new BrokenModel(`${where}: unknown shape`);
      const count = elementCount(shape, where);
      if (dtype === 'string') {
        if (slices.length > 0 || shapeAndSlice !== '')
          throw new UnsupportedModel(['variable of strings, in parts'], name);
        const bytes = readRange(dataFile(entry), entry.offset, entry.size, where);
        return { dtype, shape, data: parseStrings(bytes, count, entry.checksum, where) };
      }
      const elementBytes = storedSizeBytes(entry.type, dtype);
      const part = (box: Box, dataEntry: () => Entry): StoredPart => ({
        box,
        read: () => readData(dataEntry(), boxSize(box) * elementBytes, where),
      });
      const stored = slices.map((slice) =>
        part(boxOf(slice, shape, where), () => entryOf(sliceKey(name, slice), `slice of ${where}`)),
      );
      if (slices.length === 0) stored.push(part(wholeBox(shape), () => entry));
      const box = wantedBox(shapeAndSlice, shape, where);
      const bytes = assembleSlices(box, stored, elementBytes, where);
      const lengths = box.map(({ length }) => length);
      return tensorOfBytes(dtype, lengths, entry.type === BFLOAT16 ? widenBfloat16(bytes) : bytes, where);
    },
  };
}

function wantedBox(shapeAndSlice: string, shape: readonly number[], where: string): Box {
  if (shapeAndSlice === '') return wholeBox(shape);
  const wanted = parseShapeAndSlice(shapeAndSlice, where);
  if (wanted.shape.join() !== shape.join())
    throw new BrokenModel(`${where}: is [${shape.join(', ')}], the graph restores ${shapeAndSlice}`);
  return boxOf(wanted.slice, shape, where);
}

function readRange(path: string, offset: number, size: number, where: string): Uint8Array {
  if (!existsSync(path)) throw new BrokenModel(`${where}: its data file ${basename(path)} is missing`);
  const file = openSync(path, 'r');
  try {
    // Before allocating memory: a damaged index may claim any size.
    if (offset < 0 || offset + size > fstatSync(file).size)
      throw new BrokenModel(`${where}: lies outside its data file ${basename(path)}`);
    const bytes = new Uint8Array(size);
    let done = 0;
    while (done < size) {
      const count = readSync(file, bytes, done, size - done, offset + done);
      if (count === 0)
        throw new BrokenModel(`${where}: its data file ${basename(path)} was cut off while it was read`);
      done += count;
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

function readHeader(message: WireReader): number {
  let shards = 0;
  while (message.next()) {
    if (message.field === 1) shards = message.int();
    else if (message.field === 2 && message.int() !== 0) throw new UnsupportedModel(['big-endian variables']);
  }
  return shards;
}

function readEntry(message: WireReader): Entry {
  const slices: Slice[] = [];
  let entry: Entry = { type: 0, shape: [], shard: 0, offset: 0, size: 0, checksum: 0, slices: [] };
  while (message.next()) {
    if (message.field === 1) entry = { ...entry, type: message.int() };
    else if (message.field === 2) entry = { ...entry, shape: readShape(message.message()) };
    else if (message.field === 3) entry = { ...entry, shard: message.int() };
    else if (message.field === 4) entry = { ...entry, offset: message.int() };
    else if (message.field === 5) entry = { ...entry, size: message.int() };
    else if (message.field === 6) entry = { ...entry, checksum: message.fixed32() };
    else if (message.field === 7) slices.push(readSlice(message.message()));
  }
  return { ...entry, slices };
}
