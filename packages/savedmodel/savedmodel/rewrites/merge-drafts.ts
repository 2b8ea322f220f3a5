import { isDeepStrictEqual } from 'node:util';
import type { TensorRef } from '../graph-node.ts';
import { areAlike } from '../operation-definition.ts';
import { type Draft, isApart, NOWHERE } from './draft.ts';

/** The nodes around and their graph, as merging asks of them. */
interface Surroundings {
  readonly isKept: (node: Draft) => boolean;
  readonly isResult: (node: Draft) => boolean;
  readonly usersOf: (name: string) => readonly Draft[];
  readonly redirect: (node: Draft, to: (index: number) => TensorRef) => void;
}

const COMMUTATIVE: ReadonlySet<string> = new Set(
  'Add AddV2 AddN Mul Maximum Minimum Equal NotEqual LogicalAnd LogicalOr SquaredDifference'.split(' '),
);

/** Equal nodes become one. The last nodes of the sequence take the places of those that go. */
export function mergeEqual(sequence: Draft[], graph: Surroundings): void {
  const constants = new Map<string, Draft[]>();
  const gone: number[] = [];
  for (const [place, node] of sequence.entries()) {
    if (node.isCompiled) continue;
    if (COMMUTATIVE.has(node.op) && !isSorted(node.inputs)) node.inputs = node.inputs.toSorted(byLabel);
    if (!mayMerge(node, graph)) continue;
    const isOpen = (one: Draft) => one.op === node.op && one.place < place && mayMerge(one, graph);
    const alike = node.inputs.length > 0 ? takersOfInputs(node, graph) : listOf(constants, constantKey(node));
    const same = alike.find((one) => isOpen(one) && isEqual(one, node));
    if (same !== undefined) {
      graph.redirect(node, (index) => ({ node: same.name, index }));
      node.place = NOWHERE;
      gone.push(place);
    } else if (node.inputs.length === 0) listOf(constants, constantKey(node)).push(node);
  }
  for (const place of gone.toReversed()) {
    const last = sequence.pop();
    if (last !== undefined && place < sequence.length) sequence[place] = last;
  }
}

function mayMerge(node: Draft, graph: Surroundings): boolean {
  const isUnknown = node.op === 'Const' ? node.value === undefined : isApart(node);
  return !isUnknown && !node.isCompiled && !graph.isKept(node) && !graph.isResult(node);
}

/** The nodes that take the input of a node that the fewest take. */
function takersOfInputs({ inputs }: Draft, graph: Surroundings): readonly Draft[] {
  const takers = inputs.map(({ node }) => graph.usersOf(node));
  return takers.reduce((fewest, one) => (one.length < fewest.length ? one : fewest));
}

function constantKey({ op, value }: Draft): string {
  const { dtype = op, shape = [], data = [] } = value ?? {};
  return `${dtype} ${shape.join()} ${data[0]} ${data.at(-1)}`;
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function label({ node, index }: TensorRef): string {
  return index === 0 ? node : `${node}:${index}`;
}

function byLabel(one: TensorRef, other: TensorRef): number {
  return label(one) < label(other) ? -1 : 1;
}

function isSorted(refs: readonly TensorRef[]): boolean {
  return refs.every((ref, at) => at === 0 || label(refs[at - 1] ?? ref) <= label(ref));
}

function isEqual(one: Draft, other: Draft): boolean {
  if (one.inputs.length !== other.inputs.length || one.controls.join() !== other.controls.join())
    return false;
  const isInput = ({ node, index }: TensorRef, place: number) =>
    other.inputs[place]?.node === node && other.inputs[place].index === index;
  if (!one.inputs.every(isInput)) return false;
  const [a, b] = [one.value, other.value];
  if (a !== undefined || b !== undefined)
    return (
      a?.dtype === b?.dtype && isDeepStrictEqual(a?.shape, b?.shape) && isDeepStrictEqual(a?.data, b?.data)
    );
  return areAlike(one.op, one.attributes, other.attributes);
}
