import { zeroTensor } from '../savedmodel/dense-tensor.ts';
import {
  type ServableModel,
  type Signature,
  type Tensor,
  type TensorSpec,
  UnsupportedModel,
} from '../savedmodel/servable-model.ts';

/** Sizes that a signature leaves open: one record, of lengths that most convolutions can take. */
const OPEN_SIZE = 32;
/** A black PNG of 32 × 32 pixels in RGB: what most models of strings decode. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAGUlEQVR42u3BMQEAAADCoPVP7WENoAAAAG4MIAABITLN7AAAAABJRU5ErkJggg==',
  'base64',
);
/** For models of texts that want UTF-8: a word, and a number. */
const WORD = Buffer.from('0');

/**
 * Runs a signature once on zeros, and gives the reason where that says nothing: a shape of any rank, code of the model that refuses
 * zeros, or an answer that does not come in time.
 *
 * @throws {UnsupportedModel} where what was converted cannot be run
 */
export async function runOnZeros(
  model: Pick<ServableModel, 'run'>,
  { name, inputs }: Signature,
  limitMs: number,
): Promise<string | undefined> {
  const open = inputs.find(({ shape }) => shape === null);
  if (open !== undefined) return `input ${open.name} may be of any shape`;
  const limit = AbortSignal.timeout(limitMs);
  const late = new Promise<string>((resolve) => {
    limit.addEventListener('abort', () => resolve(`no answer within ${limitMs / 1000} s`), { once: true });
  });
  const run = async (text: Uint8Array): Promise<string | undefined> => {
    const feeds = new Map(inputs.map((spec) => [spec.name, zerosOf(spec, text)]));
    return model.run(name, feeds).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof UnsupportedModel) throw error;
        return error instanceof Error ? error.message : String(error);
      },
    );
  };
  const runs = async () => {
    const reason = await run(IMAGE);
    return reason !== undefined && inputs.some(({ dtype }) => dtype === 'string') ? run(WORD) : reason;
  };
  return Promise.race([runs(), late]);
}

function zerosOf({ dtype, shape: open }: TensorSpec, text: Uint8Array): Tensor {
  const shape = (open ?? []).map((size, axis) => (size >= 0 ? size : axis === 0 ? 1 : OPEN_SIZE));
  if (dtype !== 'string') return zeroTensor(dtype, shape);
  const length = shape.reduce((product, size) => product * size, 1);
  return { dtype, shape, data: Array.from({ length }, () => text) };
}
