import { boolAttr, type GraphNode, inputOf } from '../savedmodel/graph-node.ts';
import type { Conversion } from './conversion.ts';
import { guardedEach } from './guard.ts';

/** Inputs of an ONNX reduction, and where its result goes: `set` declares it as the node's output in the order of axes that it has. */
export interface Reduction {
  readonly input: string;
  /** Name of the axes, which are counted from the front: onnxruntime does not reduce empty tensors over others. */
  readonly axes: string;
  readonly attributes: Readonly<Record<string, number>>;
  set(result: string): void;
}

/** Many networks end with a mean over height and width: it is computed without transposing. */
export function reductionOf(node: GraphNode, conversion: Conversion): Reduction {
  const { onnx } = conversion;
  const keep = boolAttr(node, 'keep_dims');
  const attributes = { keepdims: keep ? 1 : 0, noop_with_empty_axes: 1 };
  const set = (result: string) => conversion.set(node, result);
  const given = conversion.numbers(inputOf(node, 1));
  if (given === null)
    return { input: conversion.input(node), axes: computedAxes(node, conversion), attributes, set };
  if (conversion.isChannelsFirst(node)) {
    const spatial = given.map((axis) => (axis < 0 ? axis + 4 : axis)).sort();
    if (spatial.join() === '1,2') {
      const input = conversion.imageInput(node);
      const setImage = (result: string) =>
        keep ? conversion.setChannelsFirst(node, result) : conversion.set(node, result);
      return { input, axes: onnx.integers([2, 3]), attributes, set: setImage };
    }
  }
  // onnxruntime asks no axis of an empty tensor.
  const isOpen = conversion.shape(inputOf(node, 0)) === null && given.length > 0;
  const axes = isOpen ? computedAxes(node, conversion) : onnx.integers(conversion.normalAxes(node, 0, given));
  return { input: conversion.input(node), axes, attributes, set };
}

/** Axes not known before the run, or of a tensor of open rank, counted from the front; a missing axis fails the run. */
export function computedAxes(node: GraphNode, conversion: Conversion): string {
  const { onnx } = conversion;
  const axes = onnx.op('Reshape', conversion.int64Input(node, 1), [-1]);
  const rank = onnx.shape(onnx.shape(conversion.input(node)));
  const negative = onnx.op('Less', axes, [0]);
  const normal = onnx.op('Where', negative, onnx.op('Add', axes, rank), axes);
  const isAxis = onnx.op('And', onnx.op('GreaterOrEqual', normal, [0]), onnx.op('Less', normal, rank));
  return guardedEach(onnx, normal, isAxis, 'the tensor has no such axis');
}
