import { expect, test } from 'vitest';
import type { AttrValue, FunctionDef } from '../savedmodel/graph-def.ts';
import { hasAssertion } from '../savedmodel/has-assertion.ts';

const node = (op: string, ...called: readonly string[]) => ({
  name: op,
  op,
  inputs: [],
  attributes: new Map(called.map((name): [string, AttrValue] => [name, { functionName: name }])),
});
const functionOf = (...nodes: readonly ReturnType<typeof node>[]): FunctionDef => ({
  signature: { name: '', inputs: [], outputs: [] },
  nodes,
  returns: new Map(),
});
const functions = new Map([
  ['holds', functionOf(node('Identity'))],
  ['fails', functionOf(node('Assert'))],
  ['guarded', functionOf(node('If', 'holds', 'fails'))],
  ['endless', functionOf(node('While', 'endless'))],
]);

test.each([
  ['an assertion', [node('Assert')], true],
  ['a branch with one, as tf.debugging makes it', [node('If', 'holds', 'fails')], true],
  ['a branch within a loop', [node('While', 'holds', 'guarded')], true],
  ['neither', [node('If', 'holds', 'holds'), node('Softmax')], false],
  ['a function that calls itself', [node('While', 'endless')], false],
])('%s', (_, nodes, expected) => {
  expect(hasAssertion(nodes, functions)).toBe(expected);
});
