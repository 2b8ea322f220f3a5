import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { BrokenModel, UnsupportedModel, type Tensor } from '../engine/servable-model.ts';
import { crc32c, maskChecksum } from './crc32c.ts';
import { elementCount, tensorOfBytes } from './dense-tensor.ts';
import { elementSizeBytes, resolveElementType } from './element-type.ts';
import { readTable } from './leveldb-table.ts';
import { isSliceKey, sliceKey } from './ordered-code.ts';
import { readShape, type Shape } from './tensor-proto.ts';
import {
  boxOf,
  boxSize,
  copyBox,
  intersection,
  parseShapeAndSlice,
  readSlice,
  wholeBox,
  type Box,
  type Slice,
} from './tensor-slice.ts';
import { WireReader } from './wire-reader.ts';

/** Slices are compared with each other, which must not take long. */
const MAX_SLICES = 4096;
/** An ONNX file holds no more, and a damaged index may claim any size. */
const MAX_ASSEMBLED_BYTES = 2 ** 31;

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
  const readPiece = ({ entry }: Piece, where: string): Uint8Array => {
    const path = `${prefix}.data-${five(entry.shard)}-of-${five(shards)}`;
    const bytes = readRange(path, entry.offset, entry.size, where);
    if (maskChecksum(crc32c(bytes)) !== entry.checksum)
      throw new BrokenModel(`${where}: checksum does not match`);
    return bytes;
  };
  return {
    names: [...table.keys()].filter((key) => key !== '' && !isSliceKey(key)),
    read(name, shapeAndSlice = '') {
      const where = `variable ${name}`;
      const entry = entryOf(name, where);
      const dtype = resolveElementType(entry.type, where);
      if (dtype === 'string') throw new UnsupportedModel(['variable of strings'], name);
      if (entry.shape === null) throw new BrokenModel(`${where}: unknown shape`);
      elementCount(entry.shape, where);
      const pieces = piecesOf(entry, entry.shape, where, (slice) =>
        entryOf(sliceKey(name, slice), `slice of ${where}`),
      );
      const elementBytes = elementSizeBytes(dtype);
      for (const { box, entry: piece } of pieces) checkSize(boxSize(box) * elementBytes, piece, where);
      const wanted = wantedBox(shapeAndSlice, entry.shape, where);
      const bytes = assemble(wanted, pieces, elementBytes, where, (piece) => readPiece(piece, where));
      return tensorOfBytes(
        dtype,
        wanted.map(({ length }) => length),
        bytes,
        where,
      );
    },
  };
}

/** A part of a variable, and where its data are. */
interface Piece {
  readonly box: Box;
  readonly entry: Entry;
}

function piecesOf(
  entry: Entry,
  shape: readonly number[],
  where: string,
  entryOfSlice: (slice: Slice) => Entry,
): Piece[] {
  if (entry.slices.length === 0) return [{ box: wholeBox(shape), entry }];
  if (entry.slices.length > MAX_SLICES)
    throw new BrokenModel(`${where}: ${entry.slices.length} slices, more than ${MAX_SLICES}`);
  return entry.slices.map((slice) => {
    const box = boxOf(slice, shape, where);
    const piece = entryOfSlice(slice);
    if (piece.type !== entry.type || piece.slices.length > 0)
      throw new BrokenModel(`${where}: a slice is of another kind than the whole`);
    return { box, entry: piece };
  });
}

function checkSize(size: number, entry: Entry, where: string): void {
  if (size !== entry.size)
    throw new BrokenModel(`${where}: its shape takes ${size} bytes, its data ${entry.size}`);
}

function wantedBox(shapeAndSlice: string, shape: readonly number[], where: string): Box {
  if (shapeAndSlice === '') return wholeBox(shape);
  const wanted = parseShapeAndSlice(shapeAndSlice, where);
  if (wanted.shape.join() !== shape.join())
    throw new BrokenModel(`${where}: is [${shape.join(', ')}], the graph restores ${shapeAndSlice}`);
  return boxOf(wanted.slice, shape, where);
}

/** The bytes of a box, of whichever pieces they lie in. @throws {BrokenModel} if these do not cover it exactly once */
function assemble(
  box: Box,
  pieces: readonly Piece[],
  elementBytes: number,
  where: string,
  read: (piece: Piece) => Uint8Array,
): Uint8Array {
  const parts = pieces.flatMap((piece) => {
    const common = intersection(box, piece.box);
    return common === undefined ? [] : [{ piece, common }];
  });
  const [only, second] = parts;
  if (only !== undefined && second === undefined && boxSize(only.piece.box) === boxSize(box))
    return read(only.piece);
  const covered = parts.reduce((size, { common }) => size + boxSize(common), 0);
  const overlap = parts.some(({ common }, index) =>
    parts.slice(0, index).some((other) => intersection(common, other.common) !== undefined),
  );
  if (covered !== boxSize(box) || overlap)
    throw new BrokenModel(`${where}: its slices leave gaps or overlap`);
  if (covered * elementBytes > MAX_ASSEMBLED_BYTES)
    throw new BrokenModel(`${where}: ${covered} elements of ${elementBytes} bytes are too many`);
  const bytes = new Uint8Array(covered * elementBytes);
  for (const { piece, common } of parts)
    copyBox(common, { box: piece.box, bytes: read(piece) }, { box, bytes }, elementBytes);
  return bytes;
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
