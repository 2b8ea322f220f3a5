/** A named tensor of a signature: -1 is any size, null any rank. */
interface SignatureTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[] | null;
}

/** The requests that a signature is made for, by its inputs. */
export type Requests =
  /** Encoded images, which the graph decodes. */
  | { readonly kind: 'images' }
  /** Pixels, which nothing decodes. */
  | { readonly kind: 'pixels' }
  | { readonly kind: 'texts' }
  /** Rows of `cells` numbers. */
  | { readonly kind: 'rows'; readonly cells: number }
  | { readonly kind: 'other' };

/** The requests that a signature is made for. */
export function requestsOf(inputs: readonly SignatureTensor[], decodesImages: boolean): Requests {
  const [input, ...others] = inputs;
  if (input === undefined || input.shape === null || others.length > 0) return { kind: 'other' };
  const { dtype, shape } = input;
  const last = shape.at(-1) ?? 0;
  if (dtype === 'string')
    return shape.length > 1 ? { kind: 'other' } : { kind: decodesImages ? 'images' : 'texts' };
  if (shape.length === 4 && (last === 1 || last === 3)) return { kind: 'pixels' };
  return shape.length === 2 && last > 0 ? { kind: 'rows', cells: last } : { kind: 'other' };
}

/** The output that scores classes. */
export interface Scores {
  readonly output: string;
  readonly classes: number;
  /** One number a record: the second of two classes. */
  readonly isSingle: boolean;
}

/** Outputs that may be the scores of the classes: floats of rank 2, or of rank 1 for one number a record. */
export function scoresOf(outputs: readonly SignatureTensor[]): readonly Scores[] {
  return outputs.flatMap(({ name, dtype, shape }) => {
    if (!dtype.startsWith('float') || shape === null || shape.length === 0 || shape.length > 2) return [];
    const width = shape[1] ?? 1;
    if (width < 1) return [];
    return [{ output: name, classes: Math.max(2, width), isSingle: width === 1 }];
  });
}
