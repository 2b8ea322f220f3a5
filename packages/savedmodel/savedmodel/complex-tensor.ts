import { elementCount } from './dense-tensor.ts';
import { attribute, type GraphNode } from './graph-node.ts';
import { BrokenModel } from './servable-model.ts';
import { readShape } from './tensor-proto.ts';
import { WireReader } from './wire-reader.ts';

/** `tensorflow.DT_COMPLEX64`: two float32 an element. */
const COMPLEX64 = 8;

/** `tensorflow.DT_COMPLEX128`: two float64 an element. */
const COMPLEX128 = 18;

const isComplex = (type: number | undefined) => type === COMPLEX64 || type === COMPLEX128;

/** Whether an attribute of the node names complex numbers. */
export function worksOnComplex({ attributes }: GraphNode): boolean {
  return [...attributes.values()].some(({ type, list }) => isComplex(type) || list?.types.some(isComplex));
}

/** Whether the numbers have float64 in them. */
export function isDoubleComplex({ attributes }: GraphNode): boolean {
  return [...attributes.values()].some(({ type }) => type === COMPLEX128);
}

/** A constant of complex64, its real parts and its imaginary ones. */
export interface ComplexTensor {
  readonly shape: readonly number[];
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
}

/** The value of a node `Const` of complex64. @throws {BrokenModel} if elements and shape contradict each other */
export function readComplexConstant(node: GraphNode): ComplexTensor {
  const message = new WireReader(attribute(node, 'value').tensor ?? new Uint8Array());
  let shape: readonly number[] | null = [];
  const numbers: number[] = [];
  while (message.next()) {
    if (message.field === 2) shape = readShape(message.message());
    else if (message.field === 4) numbers.push(...floatsOf(message.bytes()));
    else if (message.field === 9) message.floats(numbers);
  }
  if (shape === null) throw new BrokenModel(`${node.name}: a constant of unknown rank`);
  const count = elementCount(shape, node.name);
  const given = numbers.length / 2;
  if ((count > 0 && (given > count || given === 0)) || !Number.isInteger(given))
    throw new BrokenModel(`${node.name}: ${given} complex numbers for shape [${shape.join(', ')}]`);
  // The last stands for all that follow.
  const part = (offset: number) =>
    Float32Array.from({ length: count }, (_, index) => numbers[2 * Math.min(index, given - 1) + offset] ?? 0);
  return { shape, real: part(0), imaginary: part(1) };
}

function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
