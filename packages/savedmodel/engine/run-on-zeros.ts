import {
  UnsupportedModel,
  type ServableModel,
  type Signature,
  type Tensor,
  type TensorSpec,
} from '../savedmodel/servable-model.ts';

/** Sizes that a signature leaves open: one record, of lengths that most convolutions can take. */
const OPEN_SIZE = 32;
/** A black PNG of 32 × 32 pixels in RGB: what most models of strings decode; to those of text it is a word like any other. */
const IMAGE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAGUlEQVR42u3BMQEAAADCoPVP7WENoAAAAG4MIAABITLN7AAAAABJRU5ErkJggg==',
  'base64',
);

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
  const feeds = new Map<string, Tensor>();
  for (const spec of inputs) {
    const zeros = zerosOf(spec);
    if (zeros === undefined) return `input ${spec.name} may be of any shape`;
    feeds.set(spec.name, zeros);
  }
  const limit = AbortSignal.timeout(limitMs);
  const late = new Promise<string>((resolve) => {
    limit.addEventListener('abort', () => resolve(`no answer within ${limitMs / 1000} s`), { once: true });
  });
  const run = model.run(name, feeds).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof UnsupportedModel) throw error;
      return error instanceof Error ? error.message : String(error);
    },
  );
  return Promise.race([run, late]);
}

function zerosOf({ dtype, shape: open }: TensorSpec): Tensor | undefined {
  if (open === null) return undefined;
  const shape = open.map((size, axis) => (size >= 0 ? size : axis === 0 ? 1 : OPEN_SIZE));
  const length = shape.reduce((product, size) => product * size, 1);
  switch (dtype) {
    case 'float32':
      return { dtype, shape, data: new Float32Array(length) };
    case 'float64':
      return { dtype, shape, data: new Float64Array(length) };
    case 'float16':
      return { dtype, shape, data: new Uint16Array(length) };
    case 'int8':
      return { dtype, shape, data: new Int8Array(length) };
    case 'uint8':
      return { dtype, shape, data: new Uint8Array(length) };
    case 'int16':
      return { dtype, shape, data: new Int16Array(length) };
    case 'uint16':
      return { dtype, shape, data: new Uint16Array(length) };
    case 'int32':
      return { dtype, shape, data: new Int32Array(length) };
    case 'uint32':
      return { dtype, shape, data: new Uint32Array(length) };
    case 'int64':
      return { dtype, shape, data: new BigInt64Array(length) };
    case 'uint64':
      return { dtype, shape, data: new BigUint64Array(length) };
    case 'bool':
      return { dtype, shape, data: new Uint8Array(length) };
    case 'string':
      return { dtype, shape, data: Array.from({ length }, () => IMAGE) };
  }
}
