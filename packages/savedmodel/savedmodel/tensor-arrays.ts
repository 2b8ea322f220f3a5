import type { AttrValue, NodeDef } from './graph-def.ts';
import { parseTensorRef, tensorName, type TensorRef } from './graph-node.ts';
import { readTensor } from './tensor-proto.ts';
import { WireWriter } from './wire-writer.ts';

/** Operations that hand their first input on. */
const HANDS_ON: ReadonlySet<string> = new Set(
  'Enter RefEnter Exit NextIteration Identity Switch Merge'.split(' '),
);
const WRITES: ReadonlySet<string> = new Set(['TensorArrayWriteV3', 'TensorArrayScatterV3']);
/** `tensorflow.DT_INT32`, `tensorflow.DT_VARIANT` */
const [INT32, VARIANT] = [3, 21];

/**
 * TensorFlow 1's arrays of tensors as the lists of TensorFlow 2: what flows from write to write is the list itself. Arrays that are
 * read or written in another order than their own are left, and so refused by name.
 */
export function listsForArrays(nodes: readonly NodeDef[]): NodeDef[] {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  if (!nodes.some(({ op }) => op === 'TensorArrayV3')) return [...nodes];
  const lists = listsAmong(nodes);
  const isList = (input: string) => lists.has(tensorName(parseTensorRef(input)));
  return nodes.flatMap((node): NodeDef[] => {
    if (node.op === 'TensorArrayV3') return reserved(node);
    const inputs = node.inputs.map((input) => flowOf(input, byName));
    if (HANDS_ON.has(node.op) && node.inputs.some(isList))
      return [{ ...node, inputs, attributes: new Map([...node.attributes, ['T', { type: VARIANT }]]) }];
    return [asListOperation({ ...node, inputs }, byName)];
  });
}

/** Tensors that are an array's flow. */
function listsAmong(nodes: readonly NodeDef[]): ReadonlySet<string> {
  const lists = new Set<string>();
  for (let before = -1; before < lists.size;) {
    before = lists.size;
    for (const { name, op, inputs } of nodes) {
      if (op === 'TensorArrayV3') lists.add(`${name}:1`);
      else if (WRITES.has(op)) lists.add(`${name}:0`);
      else if (HANDS_ON.has(op) && inputs.some((input) => lists.has(tensorName(parseTensorRef(input))))) {
        lists.add(`${name}:0`);
        if (op === 'Switch') lists.add(`${name}:1`);
      }
    }
  }
  return lists;
}

function flowOf(input: string, byName: ReadonlyMap<string, NodeDef>): string {
  const { node, index } = parseTensorRef(input);
  return index === 1 && byName.get(node)?.op === 'TensorArrayV3' ? node : input;
}

function reserved(array: NodeDef): NodeDef[] {
  const [size = ''] = array.inputs;
  const shape = `${array.name}/list_shape`;
  return [
    { name: shape, op: 'Const', inputs: [], attributes: new Map([['value', shapeTensor(array)]]) },
    {
      name: array.name,
      op: 'TensorListReserve',
      inputs: [shape, size],
      attributes: new Map([['element_dtype', elementType(array)]]),
    },
  ];
}

function elementType(array: NodeDef): AttrValue {
  return array.attributes.get('dtype') ?? {};
}

/** The shape of the elements as a constant, -1 for an open rank. */
function shapeTensor(array: NodeDef): AttrValue {
  const shape = array.attributes.get('element_shape')?.shape ?? null;
  const tensor = new WireWriter();
  tensor.int(1, INT32);
  const sizes = new WireWriter();
  if (shape !== null) {
    const axis = new WireWriter();
    axis.int(1, shape.length);
    sizes.message(2, axis);
  }
  tensor.message(2, sizes);
  for (const size of shape ?? [-1]) tensor.int(7, size);
  return { tensor: tensor.toBytes() };
}

function asListOperation(node: NodeDef, byName: ReadonlyMap<string, NodeDef>): NodeDef {
  const array = arrayOf(node, byName);
  if (array === undefined) return node;
  const shape = `${array.name}/list_shape`;
  const data = node.inputs.filter((input) => !input.startsWith('^'));
  const [, second = '', third = '', fourth = ''] = data;
  const canGrow = { bool: array.attributes.get('dynamic_size')?.bool ?? false };
  const become = (op: string, inputs: readonly string[]): NodeDef => ({
    ...node,
    op,
    inputs: [...inputs, ...node.inputs.filter((input) => input.startsWith('^'))],
    attributes: new Map<string, AttrValue>([
      ['element_dtype', elementType(array)],
      ...(op === 'TensorListSetItem' ? [['resize_if_index_out_of_bounds', canGrow] as const] : []),
    ]),
  });
  switch (node.op) {
    case 'TensorArrayReadV3':
      return become('TensorListGetItem', [third, second, shape]);
    case 'TensorArrayWriteV3':
      return become('TensorListSetItem', [fourth, second, third]);
    case 'TensorArrayScatterV3':
      return isCounting(second, byName) ? become('TensorListFromTensor', [third, shape]) : node;
    case 'TensorArrayGatherV3':
      return isCounting(second, byName)
        ? become('TensorListStack', [third, shape])
        : become('TensorListGather', [third, second, shape]);
    case 'TensorArraySizeV3':
      return become('TensorListLength', [second]);
    default:
      return node;
  }
}

function arrayOf(node: NodeDef, byName: ReadonlyMap<string, NodeDef>): NodeDef | undefined {
  if (!/^TensorArray(Read|Write|Scatter|Gather|Size)V3$/.test(node.op)) return undefined;
  const source = sourceOf(parseTensorRef(node.inputs[0] ?? ''), byName);
  return source?.op === 'TensorArrayV3' ? source : undefined;
}

function sourceOf(ref: TensorRef, byName: ReadonlyMap<string, NodeDef>): NodeDef | undefined {
  let node = byName.get(ref.node);
  for (let hops = 0; hops < 1000 && node !== undefined && HANDS_ON.has(node.op); hops++)
    node = byName.get(parseTensorRef(node.inputs[0] ?? '').node);
  return node;
}

/** Whether a tensor is 0, 1, 2, … */
function isCounting(input: string, byName: ReadonlyMap<string, NodeDef>): boolean {
  const range = sourceOf(parseTensorRef(input), byName);
  if (range?.op !== 'Range') return false;
  const [start = '', , step = ''] = range.inputs;
  return numberOf(start, byName) === 0 && numberOf(step, byName) === 1;
}

function numberOf(input: string, byName: ReadonlyMap<string, NodeDef>): number | undefined {
  const constant = sourceOf(parseTensorRef(input), byName);
  const encoded = constant?.op === 'Const' ? constant.attributes.get('value')?.tensor : undefined;
  return encoded === undefined ? undefined : Number(readTensor(encoded, input).data[0]);
}
