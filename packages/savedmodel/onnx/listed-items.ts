import type { FlatFunction } from '../savedmodel/flatten-functions.ts';
import type { FrozenGraph } from '../savedmodel/frozen-graph.ts';
import { boolAttr, type GraphNode, inputOf, type TensorRef, typeAttr } from '../savedmodel/graph-node.ts';
import type { DType } from '../savedmodel/servable-model.ts';
import { readTensor } from '../savedmodel/tensor-proto.ts';
import { handedOn } from './region.ts';

/** A loop: what goes in at `node.inputs[i]` is argument i of both functions and result i of the body. */
export interface Loop {
  readonly node: GraphNode;
  /** `tensorflow.DataType` of each. */
  readonly types: readonly number[];
  readonly condition: FlatFunction;
  readonly body: FlatFunction;
}

/** Item that a loop puts into a list, one element a turn. */
export interface ListedItem {
  readonly item: TensorRef;
  readonly dtype: DType;
  /** Whether the list grows where the loop takes more turns than the list has places. */
  readonly canGrow: boolean;
}

/**
 * The element that each turn puts into list `index` of the loop, at the place that the turn's number is: as ONNX collects it,
 * the list is never copied. Undefined if the list is used in another way.
 *
 * @param numbers elements of a constant outside the loop
 */
export function findListedItem(
  loop: Loop,
  index: number,
  turn: FrozenGraph,
  numbers: (ref: TensorRef) => readonly number[] | null,
): ListedItem | undefined {
  const { body } = loop;
  const result = body.results[index];
  const write = result && body.nodes.get(handedOn(body, result).node);
  const list = body.arguments[index];
  if (write?.op !== 'TensorListSetItem' || list === undefined) return undefined;
  if (handedOn(body, inputOf(write, 0)).node !== list) return undefined;
  // Whatever else reads the list would have to wait for it.
  const isRead = [...turn.values()].some(
    (node) =>
      node.name !== write.name &&
      !isHandOn(node) &&
      node.inputs.some((ref) => isList(loop, ref, [list, write.name])),
  );
  if (isRead || !isTurn(loop, handedOn(body, inputOf(write, 1)), numbers)) return undefined;
  return {
    item: inputOf(write, 2),
    dtype: typeAttr(write, 'element_dtype'),
    canGrow: boolAttr(write, 'resize_if_index_out_of_bounds'),
  };
}

function isHandOn({ op }: GraphNode): boolean {
  return op === 'Identity';
}

function isList({ body }: Loop, ref: TensorRef, names: readonly string[]): boolean {
  return names.includes(handedOn(body, ref).node);
}

/** Whether a tensor of the body is the number of the turn: an argument that is 0 at first and then one more each time. */
function isTurn(loop: Loop, ref: TensorRef, numbers: (ref: TensorRef) => readonly number[] | null): boolean {
  const { body, node } = loop;
  const index = body.arguments.indexOf(ref.node);
  const [start, result] = [node.inputs[index], body.results[index]];
  if (start === undefined || result === undefined || numbers(start)?.[0] !== 0) return false;
  const sum = body.nodes.get(handedOn(body, result).node);
  if (sum?.op !== 'AddV2' && sum?.op !== 'Add') return false;
  const terms = sum.inputs.map((term) => handedOn(body, term).node);
  const other = terms.find((name) => name !== ref.node);
  return terms.includes(ref.node) && other !== undefined && isOne(body.nodes.get(other));
}

function isOne(node: GraphNode | undefined): boolean {
  const encoded = node?.attributes.get('value')?.tensor;
  if (node?.op !== 'Const' || encoded === undefined) return false;
  const { data } = readTensor(encoded, node.name);
  return data.length === 1 && Number(data[0]) === 1;
}
