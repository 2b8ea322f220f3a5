import { remedyOf } from './refused-operations.ts';

/**
 * A loaded model in the TensorFlow container's view: its signatures and a way to run them. Dtype names are
 * TensorFlow's, in lower case and without the `DT_` prefix (`float32`, not `float`).
 */

/** A dense tensor in row-major order; `data.length` is the product of `shape`. */
export type Tensor =
  | { readonly dtype: 'float32'; readonly shape: readonly number[]; readonly data: Float32Array }
  | { readonly dtype: 'float64'; readonly shape: readonly number[]; readonly data: Float64Array }
  /** Each element holds the sixteen bits of an IEEE 754 half-precision number. */
  | { readonly dtype: 'float16'; readonly shape: readonly number[]; readonly data: Uint16Array }
  | { readonly dtype: 'int8'; readonly shape: readonly number[]; readonly data: Int8Array }
  | { readonly dtype: 'uint8'; readonly shape: readonly number[]; readonly data: Uint8Array }
  | { readonly dtype: 'int16'; readonly shape: readonly number[]; readonly data: Int16Array }
  | { readonly dtype: 'uint16'; readonly shape: readonly number[]; readonly data: Uint16Array }
  | { readonly dtype: 'int32'; readonly shape: readonly number[]; readonly data: Int32Array }
  | { readonly dtype: 'uint32'; readonly shape: readonly number[]; readonly data: Uint32Array }
  | { readonly dtype: 'int64'; readonly shape: readonly number[]; readonly data: BigInt64Array }
  | { readonly dtype: 'uint64'; readonly shape: readonly number[]; readonly data: BigUint64Array }
  /** 0 is false, 1 is true. */
  | { readonly dtype: 'bool'; readonly shape: readonly number[]; readonly data: Uint8Array }
  /** TensorFlow strings are bytes: an encoded image as well as text. */
  | { readonly dtype: 'string'; readonly shape: readonly number[]; readonly data: readonly Uint8Array[] };

/** Name of an element type that a model can take or give. */
export type DType = Tensor['dtype'];

/** Inputs or outputs of a call by name. */
export type NamedTensors = ReadonlyMap<string, Tensor>;

/** One named input or output of a signature; -1 in `shape` is any size, `null` any rank. */
export interface TensorSpec {
  readonly name: string;
  readonly dtype: DType;
  readonly shape: readonly number[] | null;
}

/** A callable of the model, such as `serving_default`; inputs and outputs are sorted by name. */
export interface Signature {
  readonly name: string;
  /** `tensorflow/serving/predict`, which it is if absent, `…/classify` or `…/regress`. */
  readonly methodName?: string;
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
}

/** A model in memory, ready to predict. */
export interface ServableModel {
  readonly signatures: readonly Signature[];
  /**
   * Runs one signature; the feeds' names, dtypes and shapes must fit it. Calls may overlap.
   *
   * @throws {InvalidFeeds} if a feed is missing, unknown, of another dtype or shape, or an image cannot be decoded
   */
  run(signature: string, feeds: NamedTensors): Promise<Map<string, Tensor>>;
  /** Stops the model's processes; runs under way are rejected. */
  close(): Promise<void>;
}

/** Begins the line of a container's log that says what runs the model; the Python engines write it too. */
export const RUNTIME_LINE = 'serving runtime: ';

/** The remedy of most models that cannot be converted. */
export const RUN_IN_TENSORFLOW = 'run with `--engine python`, which runs models in TensorFlow itself';

/** The model is whole, but uses operations (or forms of them) that the converter does not know. */
export class UnsupportedModel extends Error {
  override readonly name = 'UnsupportedModel';
  /** Missing operations, one entry each, sorted, such as `Tile` or `Conv3D`. */
  readonly ops: readonly string[];
  readonly detail: string;
  /** The user's remedy. */
  readonly remedy: string;

  constructor(ops: readonly string[], detail = '', remedy = remedyOf(ops) ?? RUN_IN_TENSORFLOW) {
    super(
      `The model uses operations that cannot be converted: ${ops.join(', ')}${detail === '' ? '' : ` (${detail})`}`,
    );
    this.ops = ops;
    this.detail = detail;
    this.remedy = remedy;
  }
}

/** The files of the model are missing, damaged, or contradict each other. */
export class BrokenModel extends Error {
  override readonly name = 'BrokenModel';
  /** The user's remedy. */
  readonly remedy: string;

  constructor(
    message: string,
    remedy = 'the SavedModel is damaged or incomplete, for AWS as well: save it again',
  ) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * A variable that no restore operation of the graph gives a value. TensorFlow Serving knows no other way; Python's
 * `tf.saved_model.load` reads the checkpoint by its objects, and answers.
 */
export class UnrestoredVariable extends BrokenModel {
  constructor(variable: string) {
    super(
      `Variable ${variable} is not restored by the graph, so that TensorFlow Serving fails on AWS as well, though ` +
        'tf.saved_model.load in Python answers',
      'tf.saved_model.save of a function that calls a Keras 3 model writes such files: save it with model.export(folder)',
    );
  }
}

/** Fault of a model that is not served, and the remedy. */
export function describeRefusal(error: Error): string {
  return error instanceof UnsupportedModel || error instanceof BrokenModel
    ? `${error.message}: ${error.remedy}`
    : error.message;
}

/** The caller's tensors do not fit the signature, or hold bytes that the model cannot decode. */
export class InvalidFeeds extends Error {
  override readonly name = 'InvalidFeeds';
}
