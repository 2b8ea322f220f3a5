import {
  BrokenModel,
  InvalidFeeds,
  UnsupportedModel,
  type Signature,
  type Tensor,
} from './servable-model.ts';

/** What a worker is started with. */
export interface ModelWorkerData {
  readonly versionDir: string;
}

/** A call of one signature. */
export interface RunRequest {
  readonly id: number;
  readonly signature: string;
  readonly feeds: readonly (readonly [string, PackedTensor])[];
}

export type WorkerMessage =
  | { readonly kind: 'loaded'; readonly signatures: readonly Signature[] }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | {
      readonly kind: 'result';
      readonly id: number;
      readonly outputs: readonly (readonly [string, PackedTensor])[];
    }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

/** An error between threads, where classes do not survive. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly ops?: readonly string[];
}

/**
 * A tensor between threads. A view would be sent with the whole buffer behind it, so the elements get one of their own;
 * strings lie end to end.
 */
export type PackedTensor =
  | Exclude<Tensor, { dtype: 'string' }>
  | {
      readonly dtype: 'string';
      readonly shape: readonly number[];
      readonly bytes: Uint8Array;
      readonly ends: Float64Array;
    };

export function packTensor(tensor: Tensor): PackedTensor {
  if (tensor.dtype !== 'string') {
    const { data } = tensor;
    return data.byteLength === data.buffer.byteLength ? tensor : sliced(tensor);
  }
  const ends = new Float64Array(tensor.data.length);
  let size = 0;
  tensor.data.forEach((item, index) => {
    size += item.length;
    ends[index] = size;
  });
  const bytes = new Uint8Array(size);
  tensor.data.forEach((item, index) => bytes.set(item, (ends[index] ?? 0) - item.length));
  return { dtype: 'string', shape: tensor.shape, bytes, ends };
}

export function unpackTensor(packed: PackedTensor): Tensor {
  if (packed.dtype !== 'string') return packed;
  const data = Array.from(packed.ends, (end, index) =>
    packed.bytes.subarray(packed.ends[index - 1] ?? 0, end),
  );
  return { dtype: 'string', shape: packed.shape, data };
}

function sliced(tensor: Exclude<Tensor, { dtype: 'string' }>): PackedTensor {
  switch (tensor.dtype) {
    case 'float32':
      return { ...tensor, data: tensor.data.slice() };
    case 'float64':
      return { ...tensor, data: tensor.data.slice() };
    case 'float16':
    case 'uint16':
      return { ...tensor, data: tensor.data.slice() };
    case 'int8':
      return { ...tensor, data: tensor.data.slice() };
    case 'uint8':
    case 'bool':
      return { ...tensor, data: tensor.data.slice() };
    case 'int16':
      return { ...tensor, data: tensor.data.slice() };
    case 'int32':
      return { ...tensor, data: tensor.data.slice() };
    case 'uint32':
      return { ...tensor, data: tensor.data.slice() };
    case 'int64':
      return { ...tensor, data: tensor.data.slice() };
    case 'uint64':
      return { ...tensor, data: tensor.data.slice() };
  }
}

export function toFailure(error: unknown): Failure {
  if (error instanceof UnsupportedModel) return { name: error.name, message: error.message, ops: error.ops };
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

/** The error that a worker met, of the class that it had there. */
export function toError(failure: Failure): Error {
  if (failure.name === 'UnsupportedModel') return new UnsupportedModel(failure.ops ?? []);
  if (failure.name === 'BrokenModel') return new BrokenModel(failure.message);
  if (failure.name === 'InvalidFeeds') return new InvalidFeeds(failure.message);
  return new Error(failure.message);
}
