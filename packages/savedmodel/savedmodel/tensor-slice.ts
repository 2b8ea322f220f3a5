import { BrokenModel, UnsupportedModel } from './servable-model.ts';
import type { WireReader } from './wire-reader.ts';

/** One dimension's part of a slice as it is written; without a length it is all of the dimension. */
interface WrittenExtent {
  readonly start: number;
  readonly length: number | undefined;
}

/** A slice as checkpoints write it, one extent a dimension. */
export type Slice = readonly WrittenExtent[];

/** A part of a tensor, one range a dimension. */
export type Box = readonly { readonly start: number; readonly length: number }[];

/** Reads `tensorflow.TensorSliceProto`. */
export function readSlice(message: WireReader): Slice {
  const slice: WrittenExtent[] = [];
  while (message.next()) {
    if (message.field !== 1) continue;
    let extent: WrittenExtent = { start: 0, length: undefined };
    const fields = message.message();
    while (fields.next()) {
      if (fields.field === 1) extent = { ...extent, start: fields.int() };
      else if (fields.field === 2) extent = { ...extent, length: fields.int() };
    }
    slice.push(extent);
  }
  return slice;
}

/**
 * Reads what `RestoreV2` asks for: `6 4 0,2:-` is the first two rows of a [6, 4] tensor.
 *
 * @throws {BrokenModel} if the text is of another form
 */
export function parseShapeAndSlice(text: string, where: string): { shape: number[]; slice: Slice } {
  const dimensions = text.split(' ');
  const extents = (dimensions.pop() ?? '').split(':');
  const slice = extents.map((extent): WrittenExtent => {
    if (extent === '-') return { start: 0, length: undefined };
    const [, start, length] = /^(\d{1,15}),(\d{1,15})$/.exec(extent) ?? [];
    if (start === undefined || length === undefined)
      throw new BrokenModel(`${where}: ${text} is not a slice, such as "6 4 0,2:-"`);
    return { start: Number(start), length: Number(length) };
  });
  return { shape: dimensions.map(Number), slice };
}

/** The slice in numbers. @throws {BrokenModel} if it does not lie within the shape */
export function boxOf(slice: Slice, shape: readonly number[], where: string): Box {
  const box = shape.map((size, dimension) => {
    const extent = slice[dimension];
    const start = extent?.start ?? 0;
    return { start, length: extent?.length ?? size - start, size };
  });
  const inside = box.every(({ start, length, size }) => start >= 0 && length >= 0 && start + length <= size);
  if (slice.length !== shape.length || !inside)
    throw new BrokenModel(`${where}: a slice lies outside its shape [${shape.join(', ')}]`);
  return box;
}

/** All of a tensor. */
export function wholeBox(shape: readonly number[]): Box {
  return shape.map((length) => ({ start: 0, length }));
}

/** Number of elements. */
export function boxSize(box: Box): number {
  return box.reduce((size, { length }) => size * length, 1);
}

/** The part that two boxes of one tensor share, or `undefined`. */
function intersection(a: Box, b: Box): Box | undefined {
  const common: { start: number; length: number }[] = [];
  for (const [dimension, one] of a.entries()) {
    const other = b[dimension] ?? one;
    const start = Math.max(one.start, other.start);
    const length = Math.min(one.start + one.length, other.start + other.length) - start;
    if (length <= 0) return undefined;
    common.push({ start, length });
  }
  return common;
}

/** The elements of a part of a tensor, row-major. */
interface Part {
  readonly box: Box;
  readonly bytes: Uint8Array;
}

/** Copies `common`, which lies in both, from one part to the other, row by row. */
function copyBox(common: Box, from: Part, to: Part, elementBytes: number): void {
  const row = common.at(-1)?.length ?? 1;
  const rows = boxSize(common) / row;
  const position = common.map(({ start }) => start);
  for (let done = 0; done < rows; done++) {
    const start = offsetIn(from.box, position) * elementBytes;
    to.bytes.set(
      from.bytes.subarray(start, start + row * elementBytes),
      offsetIn(to.box, position) * elementBytes,
    );
    advance(position, common);
  }
}

function offsetIn(box: Box, position: readonly number[]): number {
  return box.reduce(
    (offset, { start, length }, dimension) => offset * length + (position[dimension] ?? 0) - start,
    0,
  );
}

/** To the next row, as an odometer counts. */
function advance(position: number[], box: Box): void {
  for (let dimension = box.length - 2; dimension >= 0; dimension--) {
    const { start = 0, length = 0 } = box[dimension] ?? {};
    const next = (position[dimension] ?? start) + 1;
    position[dimension] = next < start + length ? next : start;
    if (next < start + length) return;
  }
}

/** Slices are compared with each other, which must not take long. */
const MAX_SLICES = 4096;
/** An ONNX file holds no more; slices of a damaged file might all lie on the same bytes and so claim any size. */
const MAX_BYTES = 2 ** 31;

/** A part of a tensor that is stored on its own. */
export interface StoredPart {
  readonly box: Box;
  /** Its elements, row-major. @throws {BrokenModel} if they are not as many as the box says */
  read(): Uint8Array;
}

/**
 * The elements' bytes of a box, row-major, from whichever stored parts it lies in; no other is read.
 *
 * @throws {BrokenModel} if the parts do not cover the box exactly once
 */
export function assembleSlices(
  box: Box,
  stored: readonly StoredPart[],
  elementBytes: number,
  where: string,
): Uint8Array {
  if (stored.length > MAX_SLICES)
    throw new BrokenModel(`${where}: ${stored.length} slices, more than ${MAX_SLICES}`);
  const parts = stored.flatMap((part) => {
    const common = intersection(box, part.box);
    return common === undefined ? [] : [{ part, common }];
  });
  const size = boxSize(box);
  const covered = parts.reduce((sum, { common }) => sum + boxSize(common), 0);
  if (covered !== size || overlap(parts.map(({ common }) => common)))
    throw new BrokenModel(`${where}: its slices leave gaps or overlap`);
  if (size * elementBytes > MAX_BYTES)
    throw new UnsupportedModel(
      ['weights of more than 2 GiB'],
      `${where}: ${size} elements of ${elementBytes} bytes`,
    );
  const [first, second] = parts;
  if (first !== undefined && second === undefined && boxSize(first.part.box) === size)
    return first.part.read();
  // Read first: what a damaged file claims to hold is not allocated before it is there.
  const sources = parts.map(({ part, common }) => ({ common, box: part.box, bytes: part.read() }));
  const target = { box, bytes: new Uint8Array(size * elementBytes) };
  for (const source of sources) copyBox(source.common, source, target, elementBytes);
  return target.bytes;
}

function overlap(boxes: readonly Box[]): boolean {
  return boxes.some((box, index) => {
    for (let other = 0; other < index; other++) {
      if (intersection(box, boxes[other] ?? []) !== undefined) return true;
    }
    return false;
  });
}
