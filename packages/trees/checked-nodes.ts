import { ELEMENT_TYPES, type OnnxModel, type OnnxNode } from './onnx/write-onnx.ts';
import type { Leaf, Link, Split, Tree, TreeEnsemble } from './tree-ensemble.ts';
import { Unconvertible } from './trees-refused.ts';

/** Operations from `wide`, sums in float64, to `linked`; `one` is the number 1. */
const STEPS: Readonly<Record<Link, readonly OnnxNode[]>> = {
  identity: [{ op: 'Identity', inputs: ['wide'], output: 'linked' }],
  // onnxruntime's own Sigmoid has no tail below some 1e-8.
  sigmoid: [
    { op: 'Neg', inputs: ['wide'], output: 'negated' },
    { op: 'Exp', inputs: ['negated'], output: 'raised' },
    { op: 'Add', inputs: ['raised', 'one'], output: 'whole' },
    { op: 'Reciprocal', inputs: ['whole'], output: 'linked' },
  ],
  softmax: [{ op: 'Softmax', inputs: ['wide'], output: 'linked', attributes: { axis: 1 } }],
  exp: [{ op: 'Exp', inputs: ['wide'], output: 'linked' }],
  step: [
    { op: 'Sub', inputs: ['one', 'one'], output: 'zero' },
    { op: 'Greater', inputs: ['wide', 'zero'], output: 'isPositive' },
    { op: 'Cast', inputs: ['isPositive'], output: 'linked', attributes: { to: ELEMENT_TYPES.float64 } },
  ],
  'signed-square': [
    { op: 'Abs', inputs: ['wide'], output: 'size' },
    { op: 'Mul', inputs: ['wide', 'size'], output: 'linked' },
  ],
  softplus: [
    { op: 'Exp', inputs: ['wide'], output: 'raised' },
    { op: 'Add', inputs: ['raised', 'one'], output: 'whole' },
    { op: 'Log', inputs: ['whole'], output: 'linked' },
  ],
};

/** Operations from the sums of the trees to the answer, computed in float64 and given in float32. */
export function linkNodes({
  link,
  task,
  outputs,
}: TreeEnsemble): Pick<OnnxModel, 'nodes' | 'constants' | 'output'> {
  const isBinary = task === 'classification' && outputs === 1;
  const name = task === 'classification' ? 'probabilities' : 'prediction';
  const nodes: readonly OnnxNode[] = [
    { op: 'Cast', inputs: ['sums'], output: 'wide', attributes: { to: ELEMENT_TYPES.float64 } },
    ...STEPS[link],
    ...(isBinary
      ? [
          { op: 'Sub', inputs: ['one', 'linked'], output: 'other' },
          { op: 'Concat', inputs: ['other', 'linked'], output: 'pair', attributes: { axis: 1 } },
        ]
      : []),
    {
      op: 'Cast',
      inputs: [isBinary ? 'pair' : 'linked'],
      output: name,
      attributes: { to: ELEMENT_TYPES.float32 },
    },
  ];
  return {
    nodes,
    constants: nodes.some(({ inputs }) => inputs.includes('one')) ? { one: Float64Array.of(1) } : {},
    output: { name, type: 'float32', columns: isBinary ? 2 : outputs },
  };
}

/** A node with its place in the tree. */
export type PlacedNode = readonly [place: number, node: Split | Leaf];

/**
 * Nodes of a tree from its root on, each checked: the root leads to every node in one way, a split asks for a column of the model and has
 * cuts in rising order, and a leaf adds a finite number to an output of the model.
 *
 * @param at place of the tree in the model, for the message
 * @throws {Unconvertible} for a damaged tree
 */
export function checkedNodes(tree: Tree, at: number, ensemble: TreeEnsemble): readonly PlacedNode[] {
  const damaged = (reason: string): never => {
    throw new Unconvertible(
      `is damaged: tree ${at} ${reason}. Save it again from the library that trained it`,
    );
  };
  const nodes: PlacedNode[] = [];
  const waiting = [0];
  const isSeen = new Uint8Array(tree.length);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const node = tree[place] ?? damaged(`has a branch to node ${place}, which it lacks`);
    if (isSeen[place] === 1) damaged(`has two branches to node ${place}`);
    isSeen[place] = 1;
    nodes.push([place, node]);
    const problem = 'adds' in node ? problemOfLeaf(node, ensemble) : problemOfSplit(node, ensemble);
    if (problem !== undefined) damaged(`has ${problem} in node ${place}`);
    if (!('adds' in node)) waiting.push(node.right, node.left);
  }
  const count = tree.filter((node) => node !== undefined).length;
  if (nodes.length !== count) damaged(`has ${count} nodes, and its root leads to ${nodes.length}`);
  return nodes;
}

function problemOfLeaf({ adds }: Leaf, { outputs }: TreeEnsemble): string | undefined {
  const wrong = adds.find(({ output, weight }) => !Number.isFinite(weight) || !isBelow(output, outputs));
  return wrong && `the weight ${wrong.weight} for output ${wrong.output} of ${outputs}`;
}

function problemOfSplit({ feature, cuts }: Split, { features }: TreeEnsemble): string | undefined {
  if (!isBelow(feature, features)) return `column ${feature} of ${features}`;
  if (cuts.length === 0) return 'an empty set of categories';
  const wrong = cuts.find(({ upTo }, at) => !(upTo >= (cuts[at - 1]?.upTo ?? -Infinity)));
  return wrong && `the threshold ${wrong.upTo}`;
}

function isBelow(value: number, end: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < end;
}
