import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { convertGraph } from '../onnx/convert-graph.ts';
import { flattenGraph } from '../savedmodel/flatten-functions.ts';
import { freezeGraph } from '../savedmodel/frozen-graph.ts';
import type { AttrValue, FunctionDef, NodeDef } from '../savedmodel/graph-def.ts';
import { readServingGraph } from '../savedmodel/saved-model-proto.ts';
import { UnsupportedModel } from '../savedmodel/servable-model.ts';

const BOOL = 10;
/** `tensorflow.TensorProto`: dtype, no dimensions, bool_val. */
const truth = (value: boolean) => Uint8Array.of(8, BOOL, 18, 0, 88, Number(value));

function node(text: string, attributes: Record<string, AttrValue> = {}): NodeDef {
  const [op = '', name = '', ...inputs] = text.split(' ');
  return { op, name, inputs, attributes: new Map(Object.entries(attributes)) };
}

const bool = (name: string, value: boolean) =>
  node(`Const ${name}`, { dtype: { type: BOOL }, value: { tensor: truth(value) } });

/** Freezes what `y` needs; reading a variable says which. */
function freeze(nodes: NodeDef[], fed: string[] = [], functions: FunctionDef[] = []) {
  const library = { functions: new Map(functions.map((f) => [f.signature.name, f])) };
  const graph = flattenGraph(nodes, library, new Set(fed));
  const feeds = fed.map((name) => ({ node: name, index: 0 }));
  return freezeGraph(graph, [graph.resolve({ node: 'y', index: 0 })], feeds, (handle) => {
    throw new Error(`reads ${handle.node}`);
  });
}

const opsOf = (...args: Parameters<typeof freeze>) => [...freeze(...args).values()].map(({ op }) => op);

/** Relu on the true side, Neg on the other; the Merge's inputs as tf.cond writes them. */
const branches = [
  node('Placeholder x'),
  node('Switch s x p'),
  node('Neg no s'),
  node('Relu yes s:1'),
  node('Merge m no yes'),
  node('Identity y m'),
];

test.each<[string, NodeDef[], string]>([
  ['a constant', [bool('p', true)], 'Relu'],
  ['its negation', [bool('c', true), node('LogicalNot p c')], 'Neg'],
  ['a default that no feed replaces', [bool('c', false), node('PlaceholderWithDefault p c')], 'Neg'],
  [
    'an "and" that one side decides',
    [node('Placeholder q'), bool('c', false), node('LogicalAnd p q c')],
    'Neg',
  ],
  [
    'an "or" that one side decides',
    [node('Placeholder q'), bool('c', true), node('LogicalOr p q c')],
    'Relu',
  ],
  ['a switch of itself', [bool('c', true), node('Switch t c c'), node('Identity p t:1')], 'Relu'],
])('takes the branch that %s chooses', (_, predicate, taken) => {
  const [x, ...operations] = opsOf([...branches, ...predicate]);
  expect([x, operations.filter((op) => op !== 'Identity')]).toEqual(['Placeholder', [taken]]);
});

const noFunctions = { functions: new Map() };

test('a default that the signature replaces chooses no branch', () => {
  const nodes = [...branches, bool('c', false), node('PlaceholderWithDefault p c')];
  expect(opsOf(nodes, ['p'])).toEqual(expect.arrayContaining(['Switch', 'Merge', 'Neg', 'Relu']));
});

test('predicates that depend on themselves choose no branch', () => {
  expect(opsOf([...branches, node('LogicalNot p q'), node('LogicalNot q p')])).toContain('Merge');
});

test('a branch may be nothing but constants, which a control input binds to it', () => {
  const nodes = [
    bool('p', true),
    node('Switch s p p'),
    node('Identity s_t s:1'),
    node('Identity s_f s'),
    { ...bool('no', false), inputs: ['^s_f'] },
    { ...bool('yes', true), inputs: ['^s_t'] },
    node('Merge m no yes'),
    node('Identity y m'),
  ];
  expect([...freeze(nodes).keys()]).toEqual(['yes', 'm', 'y']);
  const second = [...nodes.slice(0, -1), node('Identity y m:1')];
  expect(freeze(second).get('m:value_index')?.value).toEqual({
    dtype: 'int32',
    shape: [],
    data: Int32Array.of(1),
  });
});

test('a branch within a branch that never runs is dead with it', () => {
  const nodes = [
    node('Placeholder x'),
    node('Placeholder q'),
    bool('p', false),
    node('Switch s x p'),
    node('Neg no s'),
    node('Switch inner s:1 q'),
    node('Merge within inner inner:1'),
    node('Merge m no within'),
    node('Identity y m'),
  ];
  expect(opsOf(nodes).sort()).toEqual(['Identity', 'Identity', 'Identity', 'Neg', 'Placeholder']);
});

test('the variables of a branch that never runs are not read, the others through their switch', () => {
  const nodes = (value: boolean) => [
    bool('p', value),
    node('VarHandleOp v'),
    node('VarHandleOp w'),
    node('Switch sv v p'),
    node('Switch sw w p'),
    node('ReadVariableOp no sv'),
    node('ReadVariableOp yes sw:1'),
    node('Merge m no yes'),
    node('Identity y m'),
  ];
  expect(() => freeze(nodes(false))).toThrow('reads sv');
  expect(() => freeze(nodes(true))).toThrow('reads sw');
});

test('a real model whose predicate is fed is refused by the names of its operations', () => {
  const file = new URL('./fixtures/branches/saved_model.pb', import.meta.url);
  const { graph } = readServingGraph(readFileSync(file));
  const fed = ['model/x', 'model/training'];
  const flat = flattenGraph(graph.nodes, { functions: graph.functions }, new Set(fed));
  const feeds = fed.map((name) => ({ node: name, index: 0 }));
  const frozen = freezeGraph(flat, [{ node: 'model/output', index: 0 }], feeds, () => {
    return { dtype: 'float32', shape: [1], data: new Float32Array(1) };
  });
  expect(() => convertGraph(frozen, [], [], noFunctions)).toThrow(UnsupportedModel);
  expect(() => convertGraph(frozen, [], [], noFunctions)).toThrow(/Merge, .*Switch/);
});

test('an operation without a converter is refused by name, whichever of its outputs is taken', () => {
  const frozen = freeze([node('Placeholder x'), node('Svd parts x'), node('Neg y parts:2')], ['x']);
  expect(() => convertGraph(frozen, [], [], { functions: new Map() })).toThrow(
    new UnsupportedModel(['Placeholder', 'Svd']),
  );
});

const unary = (name: string, op: string): FunctionDef => ({
  signature: {
    name,
    inputs: [{ name: 'a', numberAttr: '', typeListAttr: '' }],
    outputs: [{ name: 'b', numberAttr: '', typeListAttr: '' }],
  },
  nodes: [node(`${op} Identity a`)],
  returns: new Map([['b', `Identity:${op === 'Neg' ? 'y' : 'activations'}:0`]]),
});
const functions = [unary('positive', 'Relu'), unary('negative', 'Neg')];
const conditional = (op: string) => [
  node('Placeholder x'),
  node(`${op} cond p x`, {
    then_branch: { functionName: 'positive' },
    else_branch: { functionName: 'negative' },
  }),
  node('Sigmoid cond/Identity cond'),
  node('Identity y cond/Identity'),
];

test.each(['If', 'StatelessIf'])('%s of a constant is the branch that it takes', (op) => {
  const taken = (value: boolean) => opsOf([...conditional(op), bool('p', value)], [], functions);
  expect(taken(true)).toEqual(['Placeholder', 'Relu', 'Sigmoid', 'Identity']);
  expect(taken(false)).toEqual(['Placeholder', 'Neg', 'Sigmoid', 'Identity']);
});

test.each(['If', 'StatelessIf'])('%s of what a signature feeds keeps both branches', (op) => {
  const nodes = [...conditional(op), bool('c', true), node('PlaceholderWithDefault p c')];
  expect(opsOf(nodes, [], functions)).not.toContain(op);
  expect(opsOf(nodes, ['p'], functions)).toContain(op);
});
