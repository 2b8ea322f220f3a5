import { BFLOAT16, widenBfloat16 } from './bfloat16.ts';
import { elementCount, tensorOfBytes } from './dense-tensor.ts';
import { elementSizeBytes, resolveElementType } from './element-type.ts';
import { BrokenModel, type Tensor } from './servable-model.ts';
import { WireReader } from './wire-reader.ts';

/** Elements that a few bytes may stand for by repetition, which a damaged shape would drive to the memory's end. */
const MAX_REPEATED = 2 ** 25;

/** Dimensions, -1 for any size; `null` for an unknown rank. */
export type Shape = readonly number[] | null;

/** Reads `tensorflow.TensorShapeProto`. */
export function readShape(message: WireReader): Shape {
  const dimensions: number[] = [];
  let unknownRank = false;
  while (message.next()) {
    if (message.field === 2) dimensions.push(readDimension(message.message()));
    else if (message.field === 3) unknownRank = message.bool();
  }
  return unknownRank ? null : dimensions;
}

function readDimension(message: WireReader): number {
  let size = 0;
  while (message.next()) if (message.field === 1) size = message.int();
  return size;
}

/** The fields of a `tensorflow.TensorProto`. */
interface TensorFields {
  type: number;
  shape: Shape;
  /** All elements as they lie in memory; empty if they are given one by one. */
  content: Uint8Array;
  readonly reals: number[];
  readonly integers: bigint[];
  readonly strings: Uint8Array[];
}

function readFields(bytes: Uint8Array): TensorFields {
  const message = new WireReader(bytes);
  const fields: TensorFields = {
    type: 0,
    shape: [],
    content: new Uint8Array(),
    reals: [],
    integers: [],
    strings: [],
  };
  while (message.next()) {
    switch (message.field) {
      case 1:
        fields.type = message.int();
        break;
      case 2:
        fields.shape = readShape(message.message());
        break;
      case 4:
        fields.content = message.bytes();
        break;
      case 5:
        message.floats(fields.reals);
        break;
      case 6:
        message.doubles(fields.reals);
        break;
      case 8:
        fields.strings.push(message.bytes().slice());
        break;
      case 7:
      case 10:
      case 11:
      case 13:
      case 16:
      case 17:
        message.ints(fields.integers);
        break;
    }
  }
  return fields;
}

/**
 * Reads `tensorflow.TensorProto`: elements either as raw bytes, or one by one; the last one stands for all that follow.
 *
 * @throws {BrokenModel} if elements and shape contradict each other
 */
export function readTensor(bytes: Uint8Array, where: string): Tensor {
  const { type, shape, content, reals, integers, strings } = readFields(bytes);
  if (shape === null) throw new BrokenModel(`${where}: a constant of unknown rank`);
  const dtype = resolveElementType(type, where);
  const count = elementCount(shape, where);
  if (dtype === 'string') {
    // An absent string takes no bytes in the file, so a small file may not claim millions of them.
    if (count > 2 ** 20) throw new BrokenModel(`${where}: ${count} strings are too many`);
    return { dtype, shape, data: repeatLast(strings, count, new Uint8Array()) };
  }
  if (content.length > 0)
    return tensorOfBytes(dtype, shape, type === BFLOAT16 ? widenBfloat16(content) : content, where);

  if (count > MAX_REPEATED) throw new BrokenModel(`${where}: ${count} elements from ${bytes.length} bytes`);
  const tensor = tensorOfBytes(dtype, shape, new Uint8Array(count * elementSizeBytes(dtype)), where);
  if (type === BFLOAT16) {
    // Bits of float32; a file holds their upper half.
    const bits = Uint32Array.from({ length: count }, () => 0);
    fill(
      bits,
      integers.map((word) => Number(word) * 2 ** 16),
    );
    return { dtype: 'float32', shape, data: new Float32Array(bits.buffer) };
  }
  if (tensor.dtype === 'int64' || tensor.dtype === 'uint64') fill(tensor.data, integers);
  else if (tensor.dtype === 'float32' || tensor.dtype === 'float64') fill(tensor.data, reals);
  else fill(tensor.data, integers.map(Number));
  return tensor;
}

function fill<T>(
  target: { length: number; fill(value: T, start: number): unknown; [index: number]: T },
  values: readonly T[],
) {
  const last = values.at(-1);
  if (last === undefined) return;
  const given = Math.min(values.length, target.length);
  for (let index = 0; index < given; index++) target[index] = values[index] ?? last;
  target.fill(last, given);
}

function repeatLast<T>(values: readonly T[], count: number, absent: T): T[] {
  return Array.from({ length: count }, (_, index) => values[index] ?? values.at(-1) ?? absent);
}
