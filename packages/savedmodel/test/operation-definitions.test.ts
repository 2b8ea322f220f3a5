import { expect, test } from 'vitest';
import { evaluate } from '../host/evaluate.ts';
import { hostTensorOf } from '../host/host-tensor.ts';
import { KNOWN_OPERATIONS } from '../known-operations.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';
import { boolAttr } from '../savedmodel/graph-node.ts';
import { isDefined, placeOfOutput, reading } from '../savedmodel/operation-definition.ts';

function nodeOf(op: string, attributes: Record<string, AttrValue> = {}) {
  return { name: 'n', op, inputs: [], attributes: new Map(Object.entries(attributes)) };
}

test('every operation that is converted or run on the host is defined', () => {
  expect(KNOWN_OPERATIONS.filter((op) => !isDefined(op))).toEqual([]);
});

test.each([
  ['TopKV2', {}, 'indices', 0, 1],
  ['FusedBatchNormV3', {}, 'reserve_space_1', 0, 3],
  ['IdentityN', {}, 'output', 2, 2],
  ['ParseSingleExample', { num_sparse: { int: 2 } }, 'sparse_values', 1, 3],
])('%s: output %s', (op, attributes, argument, offset, place) => {
  expect(placeOfOutput(nodeOf(op, attributes), argument, offset)).toBe(place);
});

test('an output that the operation does not have is refused, and no other taken for it', () => {
  expect(() => placeOfOutput(nodeOf('TopKV2'), 'positions', 0)).toThrow('TopKV2 (output positions)');
});

test.each([
  [
    'a value that nothing has asked for',
    'Sum',
    { keep_dims: { bool: true } },
    'Sum (attribute keep_dims: true)',
  ],
  [
    'an element type that only the result has',
    'BatchMatMulV3',
    { Tout: { type: 3 } },
    'BatchMatMulV3 (attribute Tout: 3)',
  ],
  [
    'an attribute that TensorFlow 2.21 does not have',
    'Sum',
    { order: { int: 1 } },
    'Sum (attribute order: 1)',
  ],
])('%s is refused', (_, op, attributes, words) => {
  expect(() => reading(nodeOf(op, attributes), () => 'result')).toThrow(words);
});

test("a comparison by Python's operator is computed, whose shapes may not fit in TensorFlow", () => {
  const node = nodeOf('NotEqual', { incompatible_shape_error: { bool: false } });
  const values = hostTensorOf('int32', [2], [1, 2]);
  const [differs] = reading(node, () => evaluate(node, [values, hostTensorOf('int32', [], [2])]));
  expect(differs).toEqual(hostTensorOf('bool', [2], [1, 0]));
});

test('an image that has its size already is resized on the host, whatever its attributes say', () => {
  const image = hostTensorOf('float32', [1, 1, 2, 1], [3, 4]);
  const size = hostTensorOf('int32', [2], [1, 2]);
  const node = nodeOf('ResizeBilinear', { half_pixel_centers: { bool: true } });
  expect(evaluate(node, [image, size])).toEqual([image]);
});

test.each([
  ['has been asked for', 'Sum', { keep_dims: { bool: true } }],
  ['has the value of an absent one', 'Mean', { keep_dims: { bool: false } }],
  ['is stated by the inputs', 'Mean', { T: { type: 1 } }],
  ['changes no answer', 'While', { parallel_iterations: { int: 32 } }],
  ['is a remark of TensorFlow', 'Mean', { _class: { text: Buffer.from('loc') } }],
])('an attribute that %s passes', (_, op, attributes) => {
  const node = nodeOf(op, attributes);
  expect(reading(node, (read) => (op === 'Sum' ? boolAttr(read, 'keep_dims') : undefined))).toBe(
    op === 'Sum' || undefined,
  );
});
