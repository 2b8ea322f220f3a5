import { hostTensorOf } from '../../host/host-tensor.ts';
import { tensorName, type TensorRef } from '../graph-node.ts';
import { type Draft, floatType, outputOf } from './draft.ts';
import type { DraftGraph } from './draft-graph.ts';
import { isAll, operations, type Rewrite, SUMS } from './rewrite.ts';
import { isSmaller, keepsShape, knownCount, shapeKey } from './tensors-alike.ts';

/** Functions that keep the order of numbers, and those that turn it round, as op_types.cc lists them. */
const GROWING = operations(
  'Acosh Asin Asinh Atan Atanh Ceil Elu Erf Exp Expm1 Floor Log Log1p Relu Relu6 Rint Selu Sigmoid Sign Sinh Softsign Softplus Sqrt Tanh',
);
const FALLING = operations('Acos Erfc Neg Rsqrt');
const OPPOSITE: Readonly<Record<string, string>> = {
  Max: 'Min',
  Min: 'Max',
  ArgMax: 'ArgMin',
  ArgMin: 'ArgMax',
};
/** Relu and its like are computed along with these, and stay. */
const FUSED = operations('BiasAdd FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3');
const NEGATED: Readonly<Record<string, string>> = {
  Equal: 'NotEqual',
  NotEqual: 'Equal',
  Less: 'GreaterEqual',
  LessEqual: 'Greater',
  Greater: 'LessEqual',
  GreaterEqual: 'Less',
};
const POWERS: ReadonlyMap<number, string> = new Map([
  [2, 'Square'],
  [0.5, 'Sqrt'],
  [-0.5, 'Rsqrt'],
  [-1, 'Reciprocal'],
]);
/** Counts for an open size where sums are ordered by their size. */
const LARGE = 1e6;

/** A rewrite after which those who take the node are looked at again, since another one has taken its place. */
type Arithmetic = Rewrite & { readonly replaces?: boolean };

/** Rewrites of TensorFlow's arithmetic_optimizer.cc that change answers, in its order; the first that applies to a node counts. */
export const ARITHMETIC_REWRITES: readonly Arithmetic[] = [
  { name: 'one sum of many', operations: SUMS, apply: sumUp, replaces: true },
  {
    name: 'inverse of an inverse',
    operations: operations('Neg Reciprocal LogicalNot'),
    apply: twice,
    replaces: true,
  },
  { name: 'sum with a negated number', operations: operations('Add AddV2 Sub'), apply: withNegated },
  { name: 'negated comparison', operations: operations('LogicalNot'), apply: not, replaces: true },
  { name: 'sum of one tensor', operations: SUMS, apply: multiple, replaces: true },
  { name: 'smallest tensors first', operations: operations('Add AddV2 Mul'), apply: smallestFirst },
  { name: 'division by a root', operations: operations('RealDiv Div'), apply: byRoot },
  { name: 'power', operations: operations('Pow'), apply: power },
  { name: 'logarithm of 1 + x', operations: operations('Log'), apply: log1p },
  { name: 'logarithm of a softmax', operations: operations('Log'), apply: logSoftmax },
  {
    name: 'class of a saturating function',
    operations: operations('ArgMax ArgMin'),
    apply: extreme,
    replaces: true,
  },
  {
    name: 'extreme of a monotonic function',
    operations: operations('Max Min MaxPool MaxPoolV2 MaxPool3D'),
    apply: extreme,
    replaces: true,
  },
  { name: 'exponential minus 1', operations: operations('Sub'), apply: expm1 },
];

/** Whether it's worth a look at shapes. */
function takesSome(root: Draft, graph: DraftGraph, isPart: (node: Draft) => boolean): boolean {
  return root.inputs.some((ref) => {
    const node = graph.of(ref);
    return node !== undefined && isPart(node);
  });
}

/** The nodes of a tree below its root, and what they take, both from left to right. */
function treeOf(root: Draft, graph: DraftGraph, isPart: (node: Draft) => boolean) {
  const absorbed: Draft[] = [];
  const leaves: TensorRef[] = [];
  const open = root.inputs.toReversed();
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    const node = graph.of(ref);
    if (node === undefined || !isPart(node)) leaves.push(ref);
    else {
      absorbed.push(node);
      open.push(...node.inputs.toReversed());
    }
  }
  return { absorbed, leaves };
}

/** A tree of sums of one shape is one sum of many; groups of several shapes start with the smallest. */
function sumUp(root: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const isOpen = (node: Draft) =>
    SUMS.has(node.op) && !graph.isKept(node) && !node.isSummed && !graph.isGuarded(node);
  const isPart = (node: Draft) => isOpen(node) && node.value === undefined && graph.takers(node) === 1;
  if (!isOpen(root) || !takesSome(root, graph, isPart)) return undefined;
  if (shapeKey(outputOf(root), graph) === undefined) return undefined;
  const { absorbed, leaves } = treeOf(root, graph, isPart);
  for (const node of [root, ...absorbed]) node.isSummed = true;
  const groups = Map.groupBy(leaves, (leaf) => shapeKey(leaf, graph) ?? tensorName(leaf));
  const add = (name: string, op: string, refs: readonly TensorRef[]): TensorRef => {
    const sum = graph.add(root, `AddOpsRewrite_${name}`, op, refs);
    sum.isSummed = true;
    return outputOf(sum);
  };
  const size = ([ref]: readonly TensorRef[]) => {
    const shape = graph.shape(ref) ?? [];
    return knownCount(shape) * LARGE ** shape.filter((one) => one < 0).length;
  };
  const ordered = [...groups.values()].sort((one, other) => size(one) - size(other));
  if (ordered.length === 1) {
    graph.become(root, 'AddN', leaves);
    return [];
  }
  const sums = ordered.flatMap((refs, i) => (refs.length === 1 ? refs : [add(`Leaf_${i}`, 'AddN', refs)]));
  for (let i = 0; sums.length > 2; i++) sums.unshift(add(`Internal_${i}`, 'AddV2', sums.splice(0, 2)));
  graph.become(root, 'AddV2', sums);
  return [];
}

/** -(-x) and 1 / (1 / x) */
function twice(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const inner = graph.of(node.inputs[0]);
  const [input] = inner?.inputs ?? [];
  if (inner?.op !== node.op || input === undefined) return undefined;
  graph.handOn(node, input);
  return [];
}

/** a + -b is a - b, and a - -b is a + b: the same numbers, but constants behind them come together. */
function withNegated(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [left, right] = node.inputs;
  if (left === undefined || right === undefined) return undefined;
  const isSum = node.op !== 'Sub';
  const [one, other] = [graph.of(left), graph.of(right)];
  if (other?.op === 'Neg') graph.become(node, isSum ? 'Sub' : 'AddV2', [left, ...other.inputs]);
  else if (isSum && one?.op === 'Neg') graph.become(node, 'Sub', [right, ...one.inputs]);
  else return undefined;
  return [];
}

/** The opposite of a comparison is the other comparison, also for NaN. */
function not(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const inner = graph.of(node.inputs[0]);
  const op = inner && NEGATED[inner.op];
  if (inner === undefined || op === undefined || graph.isKept(node) || !graph.isSole(inner)) return undefined;
  graph.reuse(inner, op, inner.inputs);
  graph.handOn(node, outputOf(inner));
  return [inner];
}

/** x + x is 2 x */
function multiple(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [first, ...others] = node.inputs;
  if (first === undefined || others.length === 0) return undefined;
  if (others.some((ref) => tensorName(ref) !== tensorName(first))) return undefined;
  const dtype = floatType(node);
  if (dtype === undefined || dtype === 'float16') return undefined;
  const value = hostTensorOf(dtype, [], [node.inputs.length]);
  const count = graph.add(node, 'SimplifyAggregation_Const', 'Const', [], value);
  graph.waitFor(count, first.node);
  graph.become(node, 'Mul', [outputOf(count), first]);
  return [];
}

/** A chain of products or sums starts with the smallest tensors. */
function smallestFirst(root: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const isOpen = (node: Draft) => !node.isOrdered && !node.isSummed;
  const isPart = (node: Draft) =>
    node.op === root.op && isOpen(node) && graph.isSole(node) && !graph.isGuarded(node);
  if (!isOpen(root) || !takesSome(root, graph, isPart)) return undefined;
  if (shapeKey(outputOf(root), graph) === undefined) return undefined;
  const { absorbed, leaves } = treeOf(root, graph, isPart);
  for (const node of [root, ...absorbed]) node.isOrdered = true;
  if (new Set(leaves.map((leaf) => shapeKey(leaf, graph) ?? tensorName(leaf))).size <= 1) return undefined;
  const isLess = (one: TensorRef, other: TensorRef) => isSmaller(one, other, graph);
  const open = leaves.toSorted((a, b) => (isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0));
  const last = open.length % 2 === 1 ? open.pop() : undefined;
  const again: Draft[] = [];
  const place = (pair: readonly (TensorRef | undefined)[], node: Draft): TensorRef => {
    const inputs = pair.flatMap((ref) => ref ?? []);
    if (node === root) graph.become(node, node.op, inputs);
    else graph.reuse(node, node.op, inputs);
    again.push(node);
    return outputOf(node);
  };
  do {
    const made = place(open.splice(0, 2), absorbed.pop() ?? root);
    const [first, second] = open;
    if (first !== undefined && second !== undefined && isLess(first, second)) open.unshift(made);
    else open.push(made);
  } while (open.length > 1);
  if (last !== undefined) place([open[0], last], root);
  return again;
}

/** x / sqrt(y) is x * rsqrt(y) */
function byRoot(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const root = graph.of(node.inputs[1]);
  if (root?.op !== 'Sqrt' || !graph.isSole(root)) return undefined;
  graph.reuse(root, 'Rsqrt', root.inputs);
  graph.become(node, 'Mul', node.inputs);
  return [root];
}

function power(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [x, exponent] = node.inputs;
  const { data } = graph.valueOf(exponent) ?? {};
  const [times] = data ?? [];
  if (x === undefined || exponent === undefined || times === undefined) return undefined;
  if (!isAll(graph.of(exponent), times)) return undefined;
  const op = POWERS.get(times);
  if (op !== undefined) {
    graph.become(node, op, [x]);
    return [];
  }
  if (times === 3) {
    const square = graph.add(node, 'ConvertPow__inner', 'Square', [x]);
    graph.become(node, 'Mul', [x, outputOf(square)]);
    return [square];
  }
  if (times !== 1 || !keepsShape(x, exponent, graph)) return undefined;
  graph.handOn(node, x);
  return [];
}

function log1p(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const sum = graph.of(node.inputs[0]);
  if (sum?.op !== 'Add' && sum?.op !== 'AddV2') return undefined;
  const [left, right] = sum.inputs;
  if (left === undefined || right === undefined) return undefined;
  const pairs: readonly (readonly [TensorRef, TensorRef])[] = [
    [left, right],
    [right, left],
  ];
  const pair = pairs.find(([x, one]) => isAll(graph.of(one), 1) && keepsShape(x, one, graph));
  if (pair === undefined) return undefined;
  graph.become(node, 'Log1p', pair.slice(0, 1));
  return [sum];
}

function logSoftmax(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const inner = graph.of(node.inputs[0]);
  if (inner?.op !== 'Softmax' || !graph.isSole(inner)) return undefined;
  graph.become(node, 'LogSoftmax', inner.inputs);
  return [inner];
}

/** The largest value of a growing function is its value of the largest number, and stands in the same place. */
function extreme(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const inner = graph.of(node.inputs[0]);
  const [input] = inner?.inputs ?? [];
  if (inner === undefined || input === undefined || inner.value !== undefined) return undefined;
  if (graph.isKept(node) || graph.isKept(inner)) return undefined;
  if (graph.takers(inner) !== 1 || graph.isControlled(inner)) return undefined;
  const op = GROWING.has(inner.op) ? node.op : FALLING.has(inner.op) ? OPPOSITE[node.op] : undefined;
  const producer = graph.of(input)?.op ?? '';
  if (op === undefined || ((inner.op === 'Relu' || inner.op === 'Relu6') && FUSED.has(producer)))
    return undefined;
  const inputs = [input, ...node.inputs.slice(1)];
  if (op.startsWith('Arg')) {
    graph.become(node, op, inputs);
    return [];
  }
  // The node keeps its name for those who take it.
  const first = graph.add(node, 'Extreme', op, inputs);
  first.attributes = node.attributes;
  graph.become(node, inner.op, [outputOf(first)]);
  node.attributes = inner.attributes;
  return [first];
}

function expm1(node: Draft, graph: DraftGraph): readonly Draft[] | undefined {
  const [left, right] = node.inputs;
  const exp = graph.of(left);
  if (left === undefined || right === undefined || exp?.op !== 'Exp') return undefined;
  if (!isAll(graph.of(right), 1) || !keepsShape(left, right, graph)) return undefined;
  graph.become(node, 'Expm1', exp.inputs);
  return [exp];
}
