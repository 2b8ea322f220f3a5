import { expect, test } from 'vitest';
import { OnnxGraph } from '../onnx/onnx-graph.ts';

test('equal small constants are one, in inner graphs too', () => {
  const onnx = new OnnxGraph();
  const one = onnx.scalar('float32', 1);
  expect(onnx.inner().scalar('float32', 1)).toBe(one);
  expect(onnx.scalar('float32', NaN)).toBe(onnx.scalar('float32', NaN));
  expect(onnx.integers([1])).toBe(onnx.integers([1]));
  const apart = [
    onnx.scalar('float64', 1),
    onnx.scalar('int64', 1),
    onnx.integers([1]),
    onnx.integers([1], []),
  ];
  const zeros = [onnx.scalar('float32', 0), onnx.scalar('float32', -0)];
  expect(new Set([one, ...apart, ...zeros]).size).toBe(7);
});
