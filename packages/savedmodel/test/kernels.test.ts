import { expect, test } from 'vitest';
import { InferenceSession } from '../engine/onnxruntime.ts';
import { type GappyOperation, MISSING_KERNELS } from '../onnx/kernels.ts';
import { OnnxGraph } from '../onnx/onnx-graph.ts';
import { DENSE_TYPES } from '../savedmodel/element-type.ts';
import type { DType } from '../savedmodel/servable-model.ts';

/** The operation on a tensor `x`, in the form that the converters use. */
const FORMS: Readonly<Record<GappyOperation, (graph: OnnxGraph) => string>> = {
  Max: (graph) => graph.node('Max', ['x', 'x']),
  Min: (graph) => graph.node('Min', ['x', 'x']),
  Relu: (graph) => graph.node('Relu', ['x']),
  Clip: (graph) => graph.node('Clip', ['x', 'x', 'x']),
  Where: (graph) => graph.node('Where', [graph.cast('x', 'bool'), 'x', 'x']),
  Erf: (graph) => graph.node('Erf', ['x']),
  Reciprocal: (graph) => graph.node('Reciprocal', ['x']),
  Neg: (graph) => graph.node('Neg', ['x']),
  MatMul: (graph) => graph.node('MatMul', ['x', 'x']),
  Einsum: (graph) => graph.node('Einsum', ['x', 'x'], { equation: 'ij,jk->ik' }),
  ReduceMax: (graph) => graph.node('ReduceMax', ['x', graph.integers([0])]),
  ReduceMin: (graph) => graph.node('ReduceMin', ['x', graph.integers([0])]),
  ArgMax: (graph) => graph.node('ArgMax', ['x']),
  ArgMin: (graph) => graph.node('ArgMin', ['x']),
  TopK: (graph) => graph.nodeOf(2, 'TopK', ['x', graph.integers([1])])[0]!,
  CumSum: (graph) => graph.node('CumSum', ['x', graph.integers([0], [])]),
  Pad: (graph) => graph.node('Pad', ['x', graph.integers([1, 1])]),
  Resize: (graph) => graph.node('Resize', ['x', '', '', graph.integers([1, 1, 3, 3])], { mode: 'nearest' }),
  DepthToSpace: (graph) => graph.node('DepthToSpace', ['x'], { blocksize: 2 }),
  SpaceToDepth: (graph) => graph.node('SpaceToDepth', ['x'], { blocksize: 2 }),
  MaxPool: (graph) => graph.node('MaxPool', ['x'], { kernel_shape: [1, 1] }),
  AveragePool: (graph) => graph.node('AveragePool', ['x'], { kernel_shape: [1, 1] }),
  Conv: (graph) => graph.node('Conv', ['x', 'x']),
  ConvTranspose: (graph) => graph.node('ConvTranspose', ['x', 'x']),
  LRN: (graph) => graph.node('LRN', ['x'], { size: 3 }),
  Range: (graph) => {
    const scalar = graph.node('Squeeze', ['x']);
    return graph.node('Range', [scalar, scalar, scalar]);
  },
};

/** What TensorFlow has no such operation for is not listed. */
const NOT_ASKED: Partial<Readonly<Record<GappyOperation, readonly DType[]>>> = {
  Reciprocal: ['bool'],
  Erf: DENSE_TYPES.filter((type) => !type.startsWith('float')),
  AveragePool: DENSE_TYPES.filter((type) => !type.startsWith('float')),
  LRN: DENSE_TYPES.filter((type) => !type.startsWith('float')),
  Conv: DENSE_TYPES.filter((type) => !type.startsWith('float') && type !== 'int32'),
  ConvTranspose: DENSE_TYPES.filter((type) => !type.startsWith('float') && type !== 'int32'),
  Where: [],
  ArgMax: [],
  ArgMin: [],
  DepthToSpace: [],
  SpaceToDepth: [],
  Pad: [],
};

test.each(Object.keys(MISSING_KERNELS) as GappyOperation[])('%s lacks the kernels listed', async (op) => {
  const missing: DType[] = [];
  for (const dtype of DENSE_TYPES) {
    if ((NOT_ASKED[op] ?? ['bool']).includes(dtype)) continue;
    const graph = new OnnxGraph();
    graph.input({ name: 'x', dtype, shape: null });
    graph.output(FORMS[op](graph), { name: 'y', dtype: op.startsWith('Arg') ? 'int64' : dtype, shape: null });
    await InferenceSession.create(graph.toModel(), { logSeverityLevel: 4 }).then(
      (session) => session.release(),
      () => missing.push(dtype),
    );
  }
  expect(missing.sort()).toEqual([...MISSING_KERNELS[op]].sort());
});
