import { InvalidFeeds } from '../savedmodel/servable-model.ts';
import { type HostDType, type HostTensor, newHostTensor, sizeOf } from './host-tensor.ts';

/** The shape that two tensors have after NumPy's broadcasting. @throws {InvalidFeeds} if they do not fit */
function broadcastShapes(a: readonly number[], b: readonly number[]): number[] {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1)
      throw new InvalidFeeds(`Incompatible shapes: [${a.join(',')}] vs. [${b.join(',')}]`);
    return left === 1 ? right : left;
  });
}

/** Applies `f` to each pair of elements; float32 results are rounded once, as TensorFlow's are. */
export function combine(
  a: HostTensor,
  b: HostTensor,
  dtype: HostDType,
  f: (a: number, b: number) => number,
): HostTensor {
  const result = newHostTensor(dtype, broadcastShapes(a.shape, b.shape));
  const left = elementAt(a, result.shape);
  const right = elementAt(b, result.shape);
  for (let index = 0; index < result.data.length; index++) result.data[index] = f(left(index), right(index));
  return result;
}

/** Reads a tensor as if it had been broadcast to `shape`, by running index. */
function elementAt({ shape: own, data }: HostTensor, shape: readonly number[]): (index: number) => number {
  if (data.length === 1) {
    const only = data[0] ?? 0;
    return () => only;
  }
  if (data.length === sizeOf(shape)) return (index) => data[index] ?? 0;
  // The commonest case by far: one value a channel, repeated over all leading axes.
  if (data.length === own.at(-1) && data.length === shape.at(-1))
    return (index) => data[index % data.length] ?? 0;
  const steps: { size: number; stride: number }[] = [];
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = own[axis - shape.length + own.length] ?? 1;
    steps.push({ size: shape[axis] ?? 1, stride: size === 1 ? 0 : stride });
    stride *= size;
  }
  return (index) => {
    let rest = index;
    let position = 0;
    for (const step of steps) {
      position += (rest % step.size) * step.stride;
      rest = Math.floor(rest / step.size);
    }
    return data[position] ?? 0;
  };
}
