import { expect, test } from 'vitest';
import { splitStages } from '../host/host-stage.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

const STRING = { type: 7 };
const text = (value: string): AttrValue => ({ text: Buffer.from(value) });

function stagesOf(op: string, attributes: Record<string, AttrValue>) {
  const nodes: GraphNode[] = [
    { name: 'x', op: 'Placeholder', inputs: [], attributes: new Map([['dtype', STRING]]) },
    {
      name: 'y',
      op,
      inputs: Array.from({ length: 5 }, () => ({ node: 'x', index: 0 })),
      attributes: new Map(Object.entries({ T_: STRING, ...attributes })),
    },
  ];
  const graph = new Map(nodes.map((one) => [one.name, one]));
  return splitStages(graph, [{ node: 'y', index: 0 }], { functions: new Map() });
}

test.each<[string, Record<string, AttrValue>, string]>([
  ['StringLower', { encoding: text('utf-8') }, 'StringLower (encoding utf-8)'],
  ['StringUpper', { encoding: text('utf-8') }, 'StringUpper (encoding utf-8)'],
  ['AsString', { T: { type: 1 }, shortest: { bool: true } }, 'AsString (of floats with an exponent)'],
  ['AsString', { T: { type: 2 }, scientific: { bool: true } }, 'AsString (of floats with an exponent)'],
  ['AsString', { T: { type: 3 }, width: { int: 5 } }, 'AsString (with a width)'],
  ['EncodeBase64', { pad: { bool: true } }, 'EncodeBase64 (with padding)'],
  ['StringNGrams', { pad_width: { int: -1 } }, 'StringNGrams (with padding)'],
  ['StringToNumber', { out_type: { type: 6 } }, 'StringToNumber (int8)'],
  ['DecodeRaw', { out_type: { type: 19 } }, 'DecodeRaw (float16)'],
])('a form of %s that the host has not is refused when the model is loaded', (op, attributes, words) => {
  expect(() => stagesOf(op, attributes)).toThrow(`cannot be converted: ${words}`);
});

test('forms that the host has are taken', () => {
  expect(stagesOf('StringLower', {}).before.nodes).toHaveLength(2);
  expect(stagesOf('AsString', { T: { type: 1 } }).before.nodes).toHaveLength(2);
});
