import type { ImageSize } from './preprocessings.ts';

/** A tensor of an ONNX model: a dimension that is open has a name, or null. */
interface OnnxTensor {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly shape: readonly (number | string | null)[] | null;
}

/** Facts of an ONNX model that decide fields of pipeline.json. */
export interface OnnxFacts {
  /** Number of the classes that it scores; undefined if its outputs don't say it. */
  readonly classes: number | undefined;
  /** Whether it answers one number a record, and names no classes. */
  readonly isSingle: boolean;
  /** Whether its graph says that this number is a quantity: it has a regressor, and neither a classifier nor probabilities. */
  readonly isRegression: boolean;
  /** Their names, if a classifier in it has them. */
  readonly names: readonly string[] | null;
  /** Whether nothing in its graph makes probabilities of the scores. */
  readonly areLogits: boolean;
  /** Number of cells of a row of CSV that it takes; undefined if its inputs don't say it. */
  readonly cells: number | undefined;
  /** Names of the inputs if there is one for each cell; undefined for other models. */
  readonly columns: readonly string[] | undefined;
  /** Size of the images that its input may be; undefined if it takes no images. */
  readonly image: (ImageSize & { readonly isBytes: boolean }) | undefined;
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
  const ofLibraries = operators.get('ai.onnx.ml') ?? [];
  const hasProbabilities = PROBABILITIES.some((name) => used.includes(name));
  const isSingle = classes === null && outputs.length === 1 && isSingleNumber(outputs[0]);
  return {
    classes: classes?.length ?? (widths.length === 1 && width > 1 ? width : undefined),
    isSingle,
    isRegression:
      isSingle &&
      !hasProbabilities &&
      ofLibraries.some((name) => name.endsWith('Regressor')) &&
      !ofLibraries.some((name) => name.endsWith('Classifier')),
    names: classes,
    areLogits: ofLibraries.length === 0 && !hasProbabilities,
    cells: cellsOf(inputs),
    columns: inputs.length > 1 && cellsOf(inputs) !== undefined ? inputs.map(({ name }) => name) : undefined,
    image: inputs.length === 1 ? imageOf(inputs[0]) : undefined,
    takes: inputs
      .map(
        ({ name, type, shape }) =>
          `${name}: ${type} [${shape?.map((size) => size ?? '?').join(', ') ?? '?'}]`,
      )
      .join('; '),
  };
}

function isSingleNumber(output: OnnxTensor | undefined): boolean {
  const sizes = output?.shape?.slice(1);
  return output?.type.startsWith('float') === true && sizes?.every((size) => size === 1) === true;
}

/** The sizes of the only input without its batch, multiplied; or a cell for each of several inputs of one column. */
function cellsOf(inputs: readonly OnnxTensor[]): number | undefined {
  const widths = inputs.map(({ shape }) =>
    (shape ?? [null, null])
      .slice(1)
      .reduce<number>((product, size) => product * (typeof size === 'number' ? size : Number.NaN), 1),
  );
  const [width = Number.NaN] = widths;
  if (inputs.length === 1) return Number.isNaN(width) ? undefined : width;
  return widths.length > 0 && widths.every((one) => one === 1) ? inputs.length : undefined;
}

function imageOf(input: OnnxTensor | undefined): OnnxFacts['image'] {
  const shape = input?.shape ?? [];
  for (const places of [
    [1, 2, 3],
    [3, 1, 2],
  ]) {
    const [channels, height, width] = places.map((place) => shape[place]);
    if ((channels === 1 || channels === 3) && typeof height === 'number' && typeof width === 'number')
      return { height, width, channels, isBytes: input?.type === 'uint8' };
  }
  return undefined;
}
