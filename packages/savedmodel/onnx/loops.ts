import { resolveElementType } from '../savedmodel/element-type.ts';
import { type FlatFunction, flattenFunction } from '../savedmodel/flatten-functions.ts';
import { attribute, type GraphNode, inputOf, type TensorRef, unsupported } from '../savedmodel/graph-node.ts';
import type { DType, Tensor } from '../savedmodel/servable-model.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';
import type { Conversion, Converter } from './conversion.ts';
import { guarded } from './guard.ts';
import { findListedItem, type ListedItem, type Loop } from './listed-items.ts';
import {
  captured,
  commonShape,
  convertRegion,
  type Given,
  handedOn,
  type Region,
  regionOf,
  shapesOf,
  truthOf,
  VARIANT,
} from './region.ts';
import { listedByLoop } from './tensor-lists.ts';

/** A loop that takes more turns than this fails the run; a faulty one would never stop. */
const MAX_TURNS = 1_000_000;

/** Runs a function again and again. */
export const whileLoop: Converter = (node, conversion) => {
  const called = (name: string) =>
    flattenFunction(attribute(node, name).functionName ?? '', conversion.scope.library);
  const types = attribute(node, 'T').list?.types ?? [];
  convertLoop({ node, types, condition: called('cond'), body: called('body') }, conversion);
};

/** A loop's parts, once it is known what of it is needed. */
interface NeededLoop extends Loop {
  /** Indices of needed values that change from turn to turn. */
  readonly carried: readonly number[];
  readonly test: Region;
  readonly turn: Region;
  /** Lists that get one element a turn: by index, the element. */
  readonly listed: ReadonlyMap<number, ListedItem>;
}

/** A value that does not change from iteration to iteration is not a state of the loop: its body reads it from outside. */
function convertLoop(loop: Loop, conversion: Conversion): void {
  const { node } = loop;
  const needed = neededParts(loop, conversion);
  const shapes = stateShapes(needed, conversion);
  const types = new Map(
    needed.carried.map((index) => [index, stateType(needed, index, conversion)] as const),
  );
  const states = needed.carried.filter((index) => !needed.listed.has(index));
  const { onnx } = conversion;
  const given = (values: ReadonlyMap<number, string>, called: FlatFunction) =>
    argumentsOf(loop, called, conversion, values, shapes, types);

  const start = states.map((index) => conversion.input(node, index));
  const begins = goesOn(
    needed,
    given(new Map(states.map((index, i) => [index, start[i] ?? ''])), loop.condition),
    conversion,
    onnx,
  );
  const inner = onnx.inner();
  inner.innerInput('int64', []);
  inner.innerInput('bool', []);
  inner.innerInput('bool', []);
  const before = new Map(states.map((index) => [index, inner.innerInput(types.get(index) ?? 'float32')]));
  const turn = convertRegion(needed.turn, given(before, loop.body), conversion, inner);
  const after = new Map(states.map((index) => [index, turn.value(resultOf(loop, index))]));
  const further = goesOn(needed, given(after, loop.condition), conversion, inner);
  inner.innerOutput(further, 'bool');
  inner.innerOutput(further, 'bool');
  for (const [index, value] of after) inner.innerOutput(value, types.get(index) ?? 'float32');
  for (const [index, { item }] of needed.listed)
    inner.innerOutput(turn.value(item), types.get(index) ?? 'float32');
  const count = 1 + states.length + needed.listed.size;
  const [unfinished = '', ...ends] = onnx.nodeOf(count, 'Loop', [MAX_TURNS, begins, begins, ...start], {
    body: { graph: inner },
  });
  const finished = onnx.op('Not', unfinished);
  const used = conversion.usedOutputs(node);
  [...states, ...needed.listed.keys()].forEach((index, place) => {
    if (!used.has(index)) return;
    let end = guarded(onnx, ends[place] ?? '', finished, `the loop takes more than ${MAX_TURNS} turns`);
    const dtype = types.get(index) ?? 'float32';
    const item = needed.listed.get(index);
    if (item !== undefined)
      end = listedByLoop(conversion, end, conversion.input(node, index), dtype, item.canGrow);
    if (loop.types[index] === VARIANT) conversion.setList(node, end, dtype, index);
    else conversion.set(node, end, index);
    conversion.setShape(node, shapes.get(index) ?? null, index);
  });
  for (const index of used) if (!needed.carried.includes(index)) handOn(node, index, conversion);
}

/** An output that is what went in. */
function handOn(node: GraphNode, index: number, conversion: Conversion): void {
  const ref = inputOf(node, index);
  if (conversion.isList(ref))
    conversion.setList(node, conversion.value(ref), conversion.listType(ref), index);
  else conversion.set(node, conversion.value(ref), index);
  conversion.setShape(node, conversion.shape(ref), index);
}

function resultOf({ node, body }: Loop, index: number): TensorRef {
  const result = body.results[index];
  if (result === undefined) throw unsupported(node, 'with a body that returns less than it takes');
  return result;
}

/** Whether argument `index` comes out of the body as it went in. */
function isConstant(loop: Loop, index: number): boolean {
  return handedOn(loop.body, resultOf(loop, index)).node === loop.body.arguments[index];
}

function constantArguments(loop: Loop, called: FlatFunction, conversion: Conversion): Map<string, Tensor> {
  return new Map(
    called.arguments.flatMap((name, index) => {
      const value = isConstant(loop, index) ? conversion.known(inputOf(loop.node, index)) : undefined;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** Leaves out what neither the loop's end nor any output that is used depends on, such as what only a gradient needs. */
function neededParts(loop: Loop, conversion: Conversion): NeededLoop {
  const { node, condition, body } = loop;
  const { library } = conversion.scope;
  const test = regionOf(
    condition,
    condition.results,
    constantArguments(loop, condition, conversion),
    library,
  );
  const constants = constantArguments(loop, body, conversion);
  const isCarried = (index: number) => !isConstant(loop, index);
  const needed = new Set([...conversion.usedOutputs(node)].filter(isCarried));
  condition.arguments.forEach((name, index) => {
    if (test.graph.has(name) && isCarried(index)) needed.add(index);
  });
  for (;;) {
    const carried = [...needed].sort((a, b) => a - b);
    const turn = regionOf(
      body,
      carried.map((index) => resultOf(loop, index)),
      constants,
      library,
    );
    body.arguments.forEach((name, index) => {
      if (turn.graph.has(name) && isCarried(index)) needed.add(index);
    });
    if (needed.size > carried.length) continue;
    const listed = listedItems(loop, carried, turn, test, conversion);
    const results = carried.map((index) => listed.get(index)?.item ?? resultOf(loop, index));
    return { ...loop, carried, test, turn: regionOf(body, results, constants, library), listed };
  }
}

function listedItems(
  loop: Loop,
  carried: readonly number[],
  turn: Region,
  test: Region,
  conversion: Conversion,
): Map<number, ListedItem> {
  const listed = new Map<number, ListedItem>();
  for (const index of carried) {
    if (loop.types[index] !== VARIANT || test.graph.has(loop.condition.arguments[index] ?? '')) continue;
    if (conversion.source(inputOf(loop.node, index)).node?.op !== 'TensorListReserve') continue;
    const item = findListedItem(loop, index, turn.graph, (ref) => conversion.numbers(ref));
    if (item !== undefined) listed.set(index, item);
  }
  return listed;
}

/** Shapes that states have in every turn: sizes that change are open. */
function stateShapes(loop: NeededLoop, conversion: Conversion): Map<number, Shape> {
  const { node, body, carried, listed, turn } = loop;
  const shapes = new Map(node.inputs.map((ref, index) => [index, conversion.shape(ref)] as const));
  for (;;) {
    const given = new Map(body.arguments.map((name, index) => [name, shapes.get(index) ?? null]));
    const results = shapesOf(turn, given, conversion);
    let changed = false;
    carried.forEach((index, place) => {
      const [own = null, result = null] = [shapes.get(index), results[place]];
      const common = listed.has(index) ? result && [-1, ...result] : commonShape(own, result);
      changed ||= own?.join() !== common?.join();
      shapes.set(index, common);
    });
    if (!changed) return shapes;
  }
}

function stateType({ node, types, listed }: NeededLoop, index: number, conversion: Conversion): DType {
  const type = types[index] ?? 0;
  if (type !== VARIANT) return resolveElementType(type, node.name);
  return listed.get(index)?.dtype ?? conversion.listType(inputOf(node, index));
}

/** Arguments of the loop's functions: states, and what is the same in every turn. */
function argumentsOf(
  loop: Loop,
  called: FlatFunction,
  conversion: Conversion,
  values: ReadonlyMap<number, string>,
  shapes: ReadonlyMap<number, Shape>,
  types: ReadonlyMap<number, DType>,
): Map<string, Given> {
  const given = new Map<string, Given>();
  called.arguments.forEach((name, index) => {
    const value = values.get(index);
    if (value !== undefined) {
      const list = loop.types[index] === VARIANT ? types.get(index) : undefined;
      given.set(name, { value, shape: shapes.get(index) ?? null, believed: null, list });
    } else if (isConstant(loop, index)) {
      const outer = captured(conversion, inputOf(loop.node, index));
      if (outer !== undefined) given.set(name, outer);
    }
  });
  return given;
}

/** Whether there is another turn. */
function goesOn(
  { node, test }: NeededLoop,
  given: ReadonlyMap<string, Given>,
  conversion: Conversion,
  onnx: Conversion['onnx'],
): string {
  const converted = convertRegion(test, given, conversion, onnx);
  const [result] = test.results;
  if (result === undefined) throw unsupported(node, 'with a condition that returns nothing');
  return truthOf(onnx, converted.value(result), converted.shape(result));
}
