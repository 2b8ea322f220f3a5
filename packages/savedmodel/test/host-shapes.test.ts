import { expect, test } from 'vitest';
import { evaluate } from '../host/evaluate.ts';
import { type HostTensor, hostTensorOf } from '../host/host-tensor.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';

const zeros = (...shape: number[]) =>
  hostTensorOf('float32', shape, new Array<number>(shape.reduce((a, b) => a * b, 1)).fill(0));
const integers = (...values: number[]) => hostTensorOf('int32', [values.length], values);

function run(op: string, inputs: HostTensor[], attributes: Record<string, AttrValue> = {}) {
  return evaluate({ name: 'n', op, inputs: [], attributes: new Map(Object.entries(attributes)) }, inputs);
}
const numbers = (shape: number[], ...values: number[]) => hostTensorOf('float32', shape, values);
const grid = (rows: number, ...values: number[]) => hostTensorOf('int32', [rows, 2], values);

const one = { shrink_axis_mask: { int: 2 } };

// As TensorFlow ends each of these, whether or not the tensor has elements.
test.each<[string, string, HostTensor[], Record<string, AttrValue>?]>([
  [
    'an index of an axis of 0',
    'StridedSlice',
    [zeros(2, 0), integers(0, 0), integers(2, 1), integers(1, 1)],
    one,
  ],
  [
    'an index that lies in the next row',
    'StridedSlice',
    [zeros(3, 2), integers(0, 2), integers(3, 3), integers(1, 1)],
    one,
  ],
  [
    'a slice of more axes than there are',
    'StridedSlice',
    [zeros(2), integers(0, 0), integers(1, 1), integers(1, 1)],
  ],
  [
    'an axis of 0 that is squeezed',
    'Squeeze',
    [zeros(0, 0)],
    { squeeze_dims: { list: { ints: [0], floats: [], types: [], texts: [], shapes: [] } } },
  ],
  ['shapes that differ in a stack', 'Pack', [zeros(0, 3), zeros(0, 4)], { axis: { int: 0 } }],
  ['rows of other lengths', 'ConcatV2', [zeros(0, 3), zeros(0, 4), hostTensorOf('int32', [], [0])]],
  ['a size that is no integer', 'Reshape', [zeros(7), integers(2, -1)]],
  ['two negative sizes', 'Fill', [integers(-1, -1), hostTensorOf('int32', [], [1])]],
  ['an image of no rows', 'ResizeBilinear', [zeros(1, 0, 2, 1), integers(2, 2)]],
  ['a stack of another number', 'Unpack', [zeros(3, 2)], { axis: { int: 0 }, num: { int: 2 } }],
  ['a padding of another rank', 'Pad', [zeros(2, 2), grid(1, 1, 1)]],
  ['a negative padding', 'Pad', [zeros(2), grid(1, -1, 0)]],
  ['a size of 0', 'ResizeNearestNeighbor', [zeros(1, 2, 2, 1), integers(0, 2)]],
])('%s fails the request', (_, op, inputs, attributes) => {
  expect(() => run(op, inputs, attributes)).toThrow(/Node n|shape/);
});

test('no index is asked for where nothing is taken, as in TensorFlow', () => {
  const [taken] = run('GatherV2', [zeros(3, 0), integers(5), hostTensorOf('int32', [], [0])]);
  expect(taken?.shape).toEqual([1, 0]);
});

test('a tensor is taken apart along any axis', () => {
  const parts = run('Unpack', [numbers([2, 3], 1, 2, 3, 4, 5, 6)], { axis: { int: -1 }, num: { int: 3 } });
  expect(parts).toEqual([numbers([2], 1, 4), numbers([2], 2, 5), numbers([2], 3, 6)]);
});

test('a tensor is padded along each axis, by zeros or by a number', () => {
  const [padded] = run('Pad', [numbers([1, 2, 1], 1, 2), grid(3, 1, 0, 0, 1, 1, 1)]);
  expect(padded).toEqual(numbers([2, 3, 3], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0));
  const [filled] = run('PadV2', [numbers([2], 1, 2), grid(1, 1, 2), numbers([], 7)]);
  expect(filled).toEqual(numbers([5], 7, 1, 2, 7, 7));
  expect(run('Pad', [zeros(0, 2), grid(2, 1, 0, 0, 0)])).toEqual([zeros(1, 2)]);
});
