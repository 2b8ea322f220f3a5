import { resolveElementType } from '../savedmodel/element-type.ts';
import { type FlatFunction, flattenFunction } from '../savedmodel/flatten-functions.ts';
import { attribute, type GraphNode, inputOf } from '../savedmodel/graph-node.ts';
import type { Conversion, Converter } from './conversion.ts';
import { setByConverter } from './known-tensors.ts';
import { whileLoop } from './loops.ts';
import { alike, type Family } from './operation.ts';
import { captured, commonShape, convertRegion, type Given, regionOf, truthOf, VARIANT } from './region.ts';
import { TENSOR_LISTS } from './tensor-lists.ts';

/** `tf.cond`: both branches are functions of the same arguments, and only one of them runs. */
const branch: Converter = (node, conversion) => {
  const { onnx } = conversion;
  const types = attribute(node, 'Tout').list?.types ?? [];
  const used = [...conversion.usedOutputs(node)].sort((a, b) => a - b);
  const sides = ['then_branch', 'else_branch'].map((side) => {
    const called = flattenFunction(attribute(node, side).functionName ?? '', conversion.scope.library);
    const region = regionOf(
      called,
      used.flatMap((index) => called.results[index] ?? []),
      constantArguments(node, called, conversion),
      conversion.scope.library,
    );
    const inner = onnx.inner();
    const converted = convertRegion(region, argumentsOf(node, called, conversion), conversion, inner);
    const dtypes = used.map((index, place) => {
      const [type = 0, ref] = [types[index], region.results[place] ?? { node: '', index: 0 }];
      const dtype = type === VARIANT ? converted.listType(ref) : resolveElementType(type, node.name);
      inner.innerOutput(converted.value(ref), dtype);
      return dtype;
    });
    // Runs only for its assertions: ONNX knows no `If` without outputs.
    if (used.length === 0) inner.innerOutput(onnx.scalar('bool', 1), 'bool');
    return { inner, dtypes, shapes: region.results.map((ref) => converted.shape(ref)) };
  });
  const [taken, other] = sides;
  if (taken === undefined || other === undefined) return;
  const predicate = truthOf(onnx, conversion.input(node), conversion.shape(inputOf(node, 0)));
  const outputs = onnx.nodeOf(Math.max(1, used.length), 'If', [predicate], {
    then_branch: { graph: taken.inner },
    else_branch: { graph: other.inner },
  });
  used.forEach((index, place) => {
    const [output = '', dtype = 'float32'] = [outputs[place], taken.dtypes[place]];
    if (types[index] === VARIANT) conversion.setList(node, output, dtype, index);
    else conversion.set(node, output, index);
    conversion.setShape(node, commonShape(taken.shapes[place] ?? null, other.shapes[place] ?? null), index);
  });
};

function constantArguments(node: GraphNode, called: FlatFunction, conversion: Conversion) {
  return new Map(
    called.arguments.flatMap((name, index) => {
      const value = conversion.known(inputOf(node, index + 1));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Arguments are tensors outside, which a branch sees as they are. */
function argumentsOf(node: GraphNode, called: FlatFunction, conversion: Conversion): Map<string, Given> {
  return new Map(
    called.arguments.flatMap((name, index) => {
      const given = captured(conversion, inputOf(node, index + 1));
      return given === undefined ? [] : [[name, given] as const];
    }),
  );
}

/** Operations that call functions of the model, and the lists that loops fill. */
export const CONTROL_FLOW: Family = {
  title: 'Loops, branches, lists of tensors',
  takes: 'all element types; recurrent layers of Keras are made of these',
  limits: [
    ['', 'the tensors of a list must have one shape'],
    [
      'While StatelessWhile',
      'fails the request after a million turns, or if a list of elements with an open shape is never written',
    ],
  ],
  operations: {
    ...alike('While StatelessWhile', whileLoop, setByConverter),
    ...alike('If StatelessIf', branch, setByConverter),
    ...TENSOR_LISTS,
  },
};
