import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { BrokenModel, UnsupportedModel, type Tensor } from '../engine/servable-model.ts';
import { crc32c, maskChecksum } from './crc32c.ts';
import { elementCount, tensorOfBytes } from './dense-tensor.ts';
import { elementSizeBytes, resolveElementType } from './element-type.ts';
import { readTable } from './leveldb-table.ts';
import { readShape, type Shape } from './tensor-proto.ts';
import { WireReader } from './wire-reader.ts';

/** A checkpoint's variables by name. */
export interface TensorBundle {
  readonly names: readonly string[];
  /**
   * Reads one variable and verifies its checksum.
   *
   * @throws {BrokenModel} if it is absent, cut off or damaged
   */
  read(name: string): Tensor;
}

interface Entry {
  readonly type: number;
  readonly shape: Shape;
  readonly shard: number;
  readonly offset: number;
  readonly size: number;
  readonly checksum: number;
  readonly sliced: boolean;
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
  const entries = new Map<string, Uint8Array>(table);
  entries.delete('');
  return {
    names: [...entries.keys()],
    read(name) {
      const encoded = entries.get(name);
      if (encoded === undefined) throw new BrokenModel(`variables.index: has no variable ${name}`);
      return readVariable(prefix, shards, name, readEntry(new WireReader(encoded)));
    },
  };
}

function readVariable(prefix: string, shards: number, name: string, entry: Entry): Tensor {
  const where = `variable ${name}`;
  if (entry.sliced) throw new UnsupportedModel(['partitioned variable'], name);
  const dtype = resolveElementType(entry.type, where);
  if (dtype === 'string') throw new UnsupportedModel(['variable of strings'], name);
  if (entry.shape === null) throw new BrokenModel(`${where}: unknown shape`);
  const size = elementCount(entry.shape, where) * elementSizeBytes(dtype);
  if (size !== entry.size)
    throw new BrokenModel(`${where}: its shape takes ${size} bytes, its data ${entry.size}`);
  const five = (value: number) => String(value).padStart(5, '0');
  const bytes = readRange(
    `${prefix}.data-${five(entry.shard)}-of-${five(shards)}`,
    entry.offset,
    size,
    where,
  );
  if (maskChecksum(crc32c(bytes)) !== entry.checksum)
    throw new BrokenModel(`${where}: checksum does not match`);
  return tensorOfBytes(dtype, entry.shape, bytes, where);
}

function readRange(path: string, offset: number, size: number, where: string): Uint8Array {
  if (!existsSync(path)) throw new BrokenModel(`${where}: its data file ${basename(path)} is missing`);
  const file = openSync(path, 'r');
  try {
    // Before memory is asked for: a damaged index may claim any size.
    if (offset < 0 || offset + size > fstatSync(file).size) {
      throw new BrokenModel(`${where}: lies outside its data file ${basename(path)}`);
    }
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
  let entry: Entry = { type: 0, shape: [], shard: 0, offset: 0, size: 0, checksum: 0, sliced: false };
  while (message.next()) {
    if (message.field === 1) entry = { ...entry, type: message.int() };
    else if (message.field === 2) entry = { ...entry, shape: readShape(message.message()) };
    else if (message.field === 3) entry = { ...entry, shard: message.int() };
    else if (message.field === 4) entry = { ...entry, offset: message.int() };
    else if (message.field === 5) entry = { ...entry, size: message.int() };
    else if (message.field === 6) entry = { ...entry, checksum: message.fixed32() };
    else if (message.field === 7) entry = { ...entry, sliced: true };
  }
  return entry;
}
