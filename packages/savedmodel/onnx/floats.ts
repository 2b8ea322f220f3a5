import type { OnnxGraph } from './onnx-graph.ts';

/** Arithmetic in single precision, as TensorFlow places pixels. */
export class Floats {
  readonly onnx: OnnxGraph;
  readonly op: OnnxGraph['op'];

  constructor(onnx: OnnxGraph) {
    this.onnx = onnx;
    this.op = onnx.op;
  }

  readonly number = (value: number): string => this.onnx.scalar('float32', value);
  readonly of = (integer: string): string => this.onnx.cast(integer, 'float32');
  /** 0, 1, … up to `count`, a scalar, as floats along the axis before the last of a matrix, or along the last. */
  readonly counted = (count: string, along: 'rows' | 'columns'): string => {
    const range = this.onnx.op('Range', 0, count, 1);
    const shape = this.onnx.integers(along === 'rows' ? [-1, 1] : [1, -1]);
    return this.of(this.onnx.op('Reshape', range, shape));
  };
}
