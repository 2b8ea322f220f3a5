import { expect, test } from 'vitest';
import { evaluate } from '../host/evaluate.ts';
import { hostTensorOf } from '../host/host-tensor.ts';

test('images that have their size already are handed on, whatever the attributes of the resizing', () => {
  const attributes = new Map([['half_pixel_centers', { bool: true }]]);
  const node = { name: 'r', op: 'ResizeBilinear', inputs: [], attributes };
  const images = hostTensorOf('uint8', [1, 1, 2, 1], [3, 4]);
  const [resized] = evaluate(node, [images, hostTensorOf('int32', [2], [1, 2])]);
  expect(Array.from(resized?.data ?? [])).toEqual([3, 4]);
});
