import { expect, test } from 'vitest';
import { InferenceSession, Tensor } from '../engine/onnxruntime.ts';
import { convertGraph } from '../onnx/convert-graph.ts';
import type { GraphNode } from '../savedmodel/graph-node.ts';

const TYPES = { float64: 2, int32: 3 } as const;

test.each<[string, keyof typeof TYPES, readonly number[], readonly number[]]>([
  ['Tanh', 'float64', [-1, 1, 40, NaN], [0, Math.tanh(1), 1, NaN]],
  ['Sigmoid', 'float64', [-1, 1, 50, NaN], [0.5, 1 / (1 + Math.exp(-1)), 1, NaN]],
  ['Relu6', 'float64', [-1, 1, 40, NaN], [0, 1, 6, NaN]],
  ['Relu6', 'int32', [-1, 1, 40], [0, 1, 6]],
])('%s of %s runs behind a Relu', async (op, dtype, given, expected) => {
  const node = (name: string, kind: string, from: readonly string[]): [string, GraphNode] => [
    name,
    {
      name,
      op: kind,
      inputs: from.map((one) => ({ node: one, index: 0 })),
      attributes: new Map([['T', { type: TYPES[dtype] }]]),
    },
  ];
  const graph = new Map([node('x', 'Placeholder', []), node('r', 'Relu', ['x']), node('y', op, ['r'])]);
  const end = (name: string) => ({
    ref: { node: name, index: 0 },
    spec: { name, dtype, shape: [given.length] },
  });
  const { onnx } = convertGraph(graph, [end('x')], [end('y')], { functions: new Map() });
  const session = await InferenceSession.create(onnx, { logSeverityLevel: 4 });
  const x = new Tensor(dtype, dtype === 'int32' ? Int32Array.from(given) : Float64Array.from(given), [
    given.length,
  ]);
  const results = await session.run({ [session.inputNames[0] ?? '']: x });
  const data = results[session.outputNames[0] ?? '']?.data ?? [];
  await session.release();
  expect(Array.from<unknown, number>(data, (value) => Number(Number(value).toFixed(12)))).toEqual(
    expected.map((value) => Number(value.toFixed(12))),
  );
});
