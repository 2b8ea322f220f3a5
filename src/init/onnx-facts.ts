/** A tensor of an ONNX model: a dimension that is open has a name, or null. */
interface OnnxTensor {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly shape: readonly (number | string | null)[] | null;
}

/** Facts of an ONNX model that decide fields of pipeline.json. */
export interface OnnxFacts {
  /** Number of the classes that it scores; undefined where its outputs do not say it. */
  readonly classes: number | undefined;
  /** Their names, where a classifier in it has them. */
  readonly names: readonly string[] | null;
  /** Whether nothing in its graph makes probabilities of the scores. */
  readonly areLogits: boolean;
  /** Size of the images that its input may be; undefined where it is none. */
  readonly image: { readonly height: number; readonly width: number; readonly isBytes: boolean } | undefined;
  /** Inputs in words. */
  readonly takes: string;
}

/** Operators that make probabilities of scores. */
const PROBABILITIES = ['Softmax', 'LogSoftmax', 'Sigmoid', 'SoftmaxCrossEntropyLoss'];

/** The facts of a model. */
export function onnxFacts({
  inputs,
  outputs,
  operators,
  classes,
}: {
  readonly inputs: readonly OnnxTensor[];
  readonly outputs: readonly OnnxTensor[];
  readonly operators: ReadonlyMap<string, readonly string[]>;
  readonly classes: readonly string[] | null;
}): OnnxFacts {
  const widths = outputs.flatMap(({ kind, type, shape }) => {
    const width = shape?.at(-1);
    return kind === 'tensor' && type.startsWith('float') && shape?.length === 2 && typeof width === 'number'
      ? [width]
      : [];
  });
  const [width = 0] = widths;
  const used = operators.get('') ?? [];
  const hasClassifier = operators.has('ai.onnx.ml');
  return {
    classes: classes?.length ?? (widths.length === 1 && width > 1 ? width : undefined),
    names: classes,
    areLogits: !hasClassifier && !PROBABILITIES.some((name) => used.includes(name)),
    image: inputs.length === 1 ? imageOf(inputs[0]) : undefined,
    takes: inputs
      .map(
        ({ name, type, shape }) =>
          `${name}: ${type} [${shape?.map((size) => size ?? '?').join(', ') ?? '?'}]`,
      )
      .join('; '),
  };
}

function imageOf(input: OnnxTensor | undefined): OnnxFacts['image'] {
  const shape = input?.shape ?? [];
  for (const places of [
    [1, 2, 3],
    [3, 1, 2],
  ]) {
    const [channels, height, width] = places.map((place) => shape[place]);
    if ((channels === 1 || channels === 3) && typeof height === 'number' && typeof width === 'number')
      return { height, width, isBytes: input?.type === 'uint8' };
  }
  return undefined;
}
