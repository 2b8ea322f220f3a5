import type { OnnxGraph } from './onnx-graph.ts';

/** Arithmetic in single precision, as TensorFlow places pixels. */
export class Floats {
  readonly onnx: OnnxGraph;

  constructor(onnx: OnnxGraph) {
    this.onnx = onnx;
  }

  readonly op = (name: string, ...inputs: readonly string[]): string => this.onnx.node(name, inputs);
  readonly number = (value: number): string => this.onnx.scalar('float32', value);
  readonly of = (integer: string): string => this.onnx.cast(integer, 'float32');
  /** 0, 1, … up to `count`, a scalar, as floats along the axis before the last of a matrix, or along the last. */
  readonly counted = (count: string, along: 'rows' | 'columns'): string => {
    const range = this.onnx.node('Range', [this.onnx.integers([0], []), count, this.onnx.integers([1], [])]);
    const shape = this.onnx.integers(along === 'rows' ? [-1, 1] : [1, -1]);
    return this.of(this.onnx.node('Reshape', [range, shape]));
  };
}
