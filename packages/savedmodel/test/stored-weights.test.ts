import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openOnnxFile } from '../engine/onnx-file.ts';
import { withScores } from '../engine/score-maps.ts';
import { OnnxGraph } from '../onnx/onnx-graph.ts';

/** A product with weights in 8 bits; `quantizes` rounds its inputs to 8 bits first, as a network that computes in integers does. */
function product(quantizes: boolean): string {
  const graph = new OnnxGraph();
  graph.input({ name: 'x', dtype: 'float32', shape: [-1, 2] });
  const scale = graph.scalar('float32', 0.5);
  const zero = graph.scalar('int8', 0);
  const weights = graph.constant({ dtype: 'int8', shape: [2, 2], data: Int8Array.of(2, -4, 6, 8) });
  const stored = graph.node('DequantizeLinear', [weights, scale, zero]);
  const x = quantizes
    ? graph.node('DequantizeLinear', [graph.node('QuantizeLinear', ['x', scale, zero]), scale, zero])
    : 'x';
  graph.output(graph.node('MatMul', [x, stored]), { name: 'y', dtype: 'float32', shape: [-1, 2] });
  const file = join(mkdtempSync(join(tmpdir(), 'stored-')), 'model.onnx');
  writeFileSync(file, graph.toModel());
  return file;
}

test.each([
  [false, [1 + 6, -2 + 8]],
  [true, [1 + 6, -2 + 8]],
])(
  'weights in 8 bits become floats once, unless the network computes in integers (%s)',
  async (quantizes, y) => {
    const file = product(quantizes);
    expect((await withScores(file, statSync(file).size)).hasStoredWeights).toBe(!quantizes);
    const { session } = await openOnnxFile(file);
    const answer = await session.run(
      new Map([['x', { dtype: 'float32', shape: [1, 2], data: Float32Array.of(1, 2) }]]),
    );
    expect([...(answer.get('y')?.data ?? [])]).toEqual(y);
  },
);
