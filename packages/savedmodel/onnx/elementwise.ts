import { type GraphNode, typeAttr, unsupported } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { type GappyOperation, onKernel } from './kernels.ts';

type Build = (inputs: readonly string[], node: GraphNode, conversion: Conversion) => string;

/** An operation that works element by element: it keeps the order of axes that its inputs have. */
export function elementwise(build: Build): Converter {
  return (node, conversion) => {
    if (conversion.allChannelsFirst(node)) {
      const inputs = node.inputs.map((_, index) => conversion.broadcastInput(node, index));
      conversion.setChannelsFirst(node, build(inputs, node, conversion));
    } else {
      const inputs = node.inputs.map((ref) => conversion.value(ref));
      conversion.set(node, build(inputs, node, conversion));
    }
  };
}

/** The ONNX operation of this name on the same inputs. `onKernels` is for operations that lack a kernel for some element types. */
export const as = (op: string): Converter => elementwise((inputs, _, { onnx }) => onnx.node(op, inputs));

/** Converters of operations that ONNX knows by the same names. */
export const sameNamed = (names: string): Readonly<Record<string, Converter>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, as(name)]));

/** Converter to the ONNX operation `op`, in a wider element type where the operation has no kernel for its own. */
export const onKernels = (op: GappyOperation): Converter =>
  elementwise((inputs, node, { onnx }) =>
    onKernel(node, onnx, op, typeAttr(node, 'T', 'float32'), inputs, (carried) => onnx.node(op, carried)),
  );

/** Whether the element type of the node, its attribute `T`, is a floating-point type. */
export const isFloat = (node: GraphNode) => typeAttr(node, 'T', 'float32').startsWith('float');

/** An operation on floats only; what TensorFlow gives for integers is not its documented result. */
export const ofFloats = (op: string): Converter =>
  elementwise((inputs, node, { onnx }) => {
    if (!isFloat(node)) throw unsupported(node, typeAttr(node, 'T'));
    return onnx.node(op, inputs);
  });
