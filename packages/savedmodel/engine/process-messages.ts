import {
  BrokenModel,
  InvalidFeeds,
  type NamedTensors,
  type Signature,
  type Tensor,
  UnsupportedModel,
} from '../savedmodel/servable-model.ts';
import type { CallResult } from './joint-runs.ts';

/** Calls of one signature that travel together. */
export interface RunRequest {
  readonly id: number;
  readonly signature: string;
  readonly calls: readonly PackedTensors[];
}

/**
 * From the process of a model to the program that started it: first `loaded` or `refused`, then `results` for each `RunRequest`,
 * with its id, and `remark` for lines of the log. `cpuMs` is undefined for requests with unmeasured processor time.
 */
export type ProcessMessage =
  | {
      readonly kind: 'loaded';
      readonly signatures: readonly Signature[];
      readonly remarks: readonly string[];
    }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'remark'; readonly line: string }
  | {
      readonly kind: 'results';
      readonly id: number;
      readonly results: readonly PackedResult[];
      readonly cpuMs: number | undefined;
    };

type PackedTensors = readonly (readonly [string, PackedTensor])[];
type PackedResult = { readonly outputs: PackedTensors } | { readonly failure: Failure };

/** An error in transit between processes, which lose its class. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  /** Details of an `UnsupportedModel`. */
  readonly unsupported?: Pick<UnsupportedModel, 'ops' | 'detail' | 'remedy'>;
  /** Remedy of a `BrokenModel`. */
  readonly remedy?: string;
}

/** A tensor between processes: strings lie end to end, because thousands of small arrays would be slow to send. */
type PackedTensor =
  | Exclude<Tensor, { dtype: 'string' }>
  | {
      readonly dtype: 'string';
      readonly shape: readonly number[];
      readonly bytes: Uint8Array;
      readonly ends: Float64Array;
    };

function packTensor(tensor: Tensor): PackedTensor {
  if (tensor.dtype !== 'string') return tensor;
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

function unpackTensor(packed: PackedTensor): Tensor {
  if (packed.dtype !== 'string') return packed;
  const data = Array.from(packed.ends, (end, index) =>
    packed.bytes.subarray(packed.ends[index - 1] ?? 0, end),
  );
  return { dtype: 'string', shape: packed.shape, data };
}

/** Tensors as they travel; numbers are not copied here. */
export function packTensors(tensors: NamedTensors): PackedTensors {
  return [...tensors].map(([name, tensor]) => [name, packTensor(tensor)]);
}

/** The inverse of {@link packTensors}; the strings of a tensor share one buffer. */
export function unpackTensors(packed: PackedTensors): Map<string, Tensor> {
  return new Map(packed.map(([name, tensor]) => [name, unpackTensor(tensor)]));
}

/** The answer or the error of one call as it travels. */
export function packResult(result: CallResult): PackedResult {
  return result.status === 'fulfilled'
    ? { outputs: packTensors(result.value) }
    : { failure: toFailure(result.reason) };
}

/** The inverse of {@link packResult}. */
export function unpackResult(packed: PackedResult): CallResult {
  return 'outputs' in packed
    ? { status: 'fulfilled', value: unpackTensors(packed.outputs) }
    : { status: 'rejected', reason: toError(packed.failure) };
}

/** An error as it travels: its name and message, and the further members of `UnsupportedModel` and `BrokenModel`. */
export function toFailure(error: unknown): Failure {
  if (error instanceof UnsupportedModel) {
    const { name, message, ops, detail, remedy } = error;
    return { name, message, unsupported: { ops, detail, remedy } };
  }
  if (error instanceof BrokenModel) return { name: error.name, message: error.message, remedy: error.remedy };
  if (error instanceof Error) return { name: error.name, message: error.message };
  return { name: 'Error', message: String(error) };
}

/** The error that the other side met: `UnsupportedModel`, `BrokenModel` and `InvalidFeeds` keep their class, others become `Error`. */
export function toError(failure: Failure): Error {
  const { unsupported } = failure;
  if (unsupported !== undefined)
    return new UnsupportedModel(unsupported.ops, unsupported.detail, unsupported.remedy);
  if (failure.name === 'BrokenModel') return new BrokenModel(failure.message, failure.remedy);
  if (failure.name === 'InvalidFeeds') return new InvalidFeeds(failure.message);
  return new Error(failure.message);
}
