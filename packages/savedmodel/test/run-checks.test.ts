import { expect, test } from 'vitest';
import { InferenceSession, Tensor } from '../engine/onnxruntime.ts';
import { convertGraph } from '../onnx/convert-graph.ts';
import type { AttrValue } from '../savedmodel/graph-def.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';
import type { Shape } from '../savedmodel/tensor-proto.ts';

const ref = (node: string) => ({ node, index: 0 });

function node(text: string, attributes: Record<string, AttrValue> = {}): GraphNode {
  const [op = '', name = '', ...inputs] = text.split(' ');
  return { op, name, inputs: inputs.map(ref), attributes: new Map(Object.entries(attributes)) };
}

/** Elements of `x`, all zeros, that TensorFlow's operation takes at `places`, whose sizes no graph states. */
async function taken(op: GraphNode, shape: number[], places: number[][], declared: Shape = [-1, -1]) {
  const axis = {
    ...node('Const axis'),
    value: { dtype: 'int32', shape: [], data: Int32Array.of(1) },
  } as const;
  const graph = new Map(
    [node('Placeholder x'), node('Placeholder i'), axis, op].map((one) => [one.name, one]),
  );
  const port = (name: string, dtype: 'float32' | 'int64') => {
    return { ref: ref(name), spec: { name, dtype, shape: declared } };
  };
  const library = { functions: new Map() };
  const { onnx } = convertGraph(
    graph,
    [port('x', 'float32'), port('i', 'int64')],
    [port('y', 'float32')],
    library,
  );
  const session = await InferenceSession.create(onnx, { logSeverityLevel: 4 });
  const size = shape.reduce((a, b) => a * b, 1);
  const indices = new Tensor('int64', places.flat().map(BigInt), [places.length, places[0]?.length ?? 1]);
  const feeds = { 'in:x': new Tensor('float32', new Float32Array(size), shape), 'in:i': indices };
  return session.run(feeds).finally(() => session.release());
}

const inBatches = node('GatherV2 y x i axis', { batch_dims: { int: 1 } });

test('batches of different numbers end the run, also where one divides the other', async () => {
  await expect(taken(inBatches, [2, 3], [[0], [1]])).resolves.toHaveProperty('out:y');
  await expect(taken(inBatches, [2, 3], [[0], [1], [1], [1]])).rejects.toThrow(
    'the batches of tensor and indices',
  );
});

const slices = node('GatherNd y x i');

test('a tensor that has no elements when it runs gives none of its slices', async () => {
  await expect(taken(slices, [3, 2], [[1]])).resolves.toHaveProperty('out:y');
  await expect(taken(slices, [3, 0], [])).resolves.toHaveProperty('out:y');
  await expect(taken(slices, [3, 0], [[1]])).rejects.toThrow('the tensor has no elements');
});

test('a reduction over an axis that a tensor without elements lacks fails the request', async () => {
  const least = node('Min y x axis');
  await expect(taken(least, [0, 2], [[]], null)).resolves.toHaveProperty('out:y');
  await expect(taken(least, [2, 2], [[]], null)).resolves.toHaveProperty('out:y');
  await expect(taken(least, [0], [[]], null)).rejects.toThrow('the tensor has no such axis');
});
