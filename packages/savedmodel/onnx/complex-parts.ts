import { readComplexConstant } from '../savedmodel/complex-tensor.ts';
import { type GraphNode, inputOf, type TensorRef } from '../savedmodel/graph-node.ts';
import { WatchedAttributes } from '../savedmodel/operation-definition.ts';
import { type Part, partOf } from './complex-part.ts';
import type { Conversion, Converter } from './conversion.ts';

/** One part of a complex tensor. */
export function partRef({ node, index }: TensorRef, part: Part, conversion: Conversion): TensorRef {
  const { node: source } = conversion.source({ node, index });
  const ref = { node: `${node} ${part}`, index };
  if (source?.op === 'Const' && source.name === node) {
    const constant = readComplexConstant(source);
    const data = part === 'real' ? constant.real : constant.imaginary;
    conversion.set(
      partOf(source, part),
      conversion.onnx.constant({ dtype: 'float32', shape: constant.shape, data }),
    );
    conversion.setShape(partOf(source, part), constant.shape);
  }
  return ref;
}

/** The parts of input `index`. */
export function partsOf(node: GraphNode, conversion: Conversion, index = 0): readonly [string, string] {
  const ref = inputOf(node, index);
  return [
    conversion.value(partRef(ref, 'real', conversion)),
    conversion.value(partRef(ref, 'imaginary', conversion)),
  ];
}

/** Declares the node's complex output. Its shape is inferred as for real numbers. */
export function setParts(
  node: GraphNode,
  conversion: Conversion,
  real: string,
  imaginary: string,
  shape = conversion.shape({ node: node.name, index: 0 }),
): void {
  conversion.setShape(node, shape);
  for (const [part, value] of [
    ['real', real],
    ['imaginary', imaginary],
  ] as const) {
    conversion.set(partOf(node, part), value);
    conversion.setShape(partOf(node, part), shape);
  }
}

const DATA_TYPES: ReadonlySet<string> = new Set(['T', 'Tparams']);
const FLOAT32 = 1;

/**
 * Runs the converter of real numbers on each part.
 *
 * @param isComplex whether an input is complex, by its place
 */
export function partwise(
  converter: Converter,
  isComplex: (place: number, count: number) => boolean = () => true,
): Converter {
  return (node, conversion) => {
    const attributes = new WatchedAttributes(
      [...node.attributes].map(
        ([name, value]) => [name, DATA_TYPES.has(name) ? { ...value, type: FLOAT32 } : value] as const,
      ),
    );
    for (const part of ['real', 'imaginary'] as const) {
      const inputs = node.inputs.map((ref, place) =>
        isComplex(place, node.inputs.length) ? partRef(ref, part, conversion) : ref,
      );
      const own = { ...partOf(node, part), attributes, inputs };
      converter(own, conversion);
      conversion.setShape(own, conversion.shape({ node: node.name, index: 0 }));
    }
    for (const name of attributes.asked) node.attributes.get(name);
  };
}
