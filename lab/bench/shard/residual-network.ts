import { OnnxGraph } from '../../../packages/savedmodel/onnx/onnx-graph.ts';
import { normal, random } from '../../../test/support/random.ts';

/**
 * A ResNet-18 (1.8 GFLOP an image of 224 × 224) for `[N, 3, side, side]`, with random weights of a fixed seed and its
 * normalization folded in.
 */
export function residualNetwork(side: number, classes: number): Uint8Array {
  const graph = new OnnxGraph();
  const next = random(18);
  // A pool of draws: as many normal deviates as the network has weights would take longer than it runs.
  const draws = Float32Array.from({ length: 65_537 }, () => normal(next));
  let drawn = 0;
  const weights = (shape: readonly number[], spread: number): string => {
    const length = shape.reduce((product, size) => product * size, 1);
    const data = Float32Array.from({ length }, () => spread * (draws[drawn++ % draws.length] ?? 0));
    return graph.constant({ dtype: 'float32', shape, data });
  };
  const convolution = (
    input: string,
    [from, to]: readonly [number, number],
    kernel: number,
    stride: number,
  ): string => {
    const pad = kernel >> 1;
    const filters = weights([to, from, kernel, kernel], Math.sqrt(1 / (from * kernel * kernel)));
    return graph.node('Conv', [input, filters, weights([to], 0.1)], {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [pad, pad, pad, pad],
    });
  };
  const relu = (input: string): string => graph.node('Relu', [input]);
  graph.input({ name: 'images', dtype: 'float32', shape: [-1, 3, side, side] });
  let found = graph.node('MaxPool', [relu(convolution('images', [3, 64], 7, 2))], {
    kernel_shape: [3, 3],
    strides: [2, 2],
    pads: [1, 1, 1, 1],
  });
  let from = 64;
  for (const [stage, to] of [64, 128, 256, 512].entries())
    for (const block of [0, 1]) {
      const stride = stage > 0 && block === 0 ? 2 : 1;
      const body = convolution(relu(convolution(found, [from, to], 3, stride)), [to, to], 3, 1);
      const skip = from === to ? found : convolution(found, [from, to], 1, stride);
      found = relu(graph.node('Add', [body, skip]));
      from = to;
    }
  const pooled = graph.node('Flatten', [graph.node('GlobalAveragePool', [found])]);
  const scores = graph.node('Gemm', [pooled, weights([from, classes], 2 / from), weights([classes], 0.1)]);
  graph.output(graph.node('Softmax', [scores], { axis: 1 }), {
    name: 'scores',
    dtype: 'float32',
    shape: [-1, classes],
  });
  return graph.toModel();
}
