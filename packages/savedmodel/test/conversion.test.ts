import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { convertInPlace, mainSignature, readConversion } from '../engine/conversion.ts';
import { loadConversion, loadInThisProcess } from '../engine/load-in-this-process.ts';
import { loadModel } from '../engine/load-model.ts';
import type { Tensor } from '../savedmodel/servable-model.ts';

/** Made by TensorFlow: the scripts beside them. */
const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));
const models = readdirSync(fixtures, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name === 'saved_model.pb')
  .map(({ parentPath }) => parentPath.slice(fixtures.length));

function copyOf(model: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'conversion-'));
  cpSync(join(fixtures, model), folder, { recursive: true });
  return folder;
}

function convertedNow(folder: string): unknown {
  try {
    const model = loadModel(folder);
    const converted = model.convert(mainSignature(model.signatures));
    const onnx = converted.onnx && Buffer.from(converted.onnx);
    return { signatures: model.signatures, converted: { ...converted, onnx } };
  } catch (error) {
    return String(error);
  }
}

function keptIn(folder: string): unknown {
  const { signatures, converted } = readConversion(folder);
  const { onnx } = converted;
  return {
    signatures,
    converted: { ...converted, onnx: typeof onnx === 'string' ? readFileSync(onnx) : onnx },
  };
}

test.each(models)('%s: a conversion is read as it was made, and a refusal stays one', async (model) => {
  const folder = copyOf(model);
  const now = convertedNow(folder);
  const kept = await convertInPlace(folder).then(() => keptIn(folder), String);
  // A prototype that is lost on the way is a difference, too.
  expect(isDeepStrictEqual(kept, now)).toBe(true);
  expect(existsSync(join(folder, 'saved_model.pb'))).toBe(typeof now === 'string');
});

test('another signature than the one that is kept is converted when it is asked for, out of the SavedModel', async () => {
  const [whole, folder] = [copyOf('recurrent'), copyOf('recurrent')];
  await convertInPlace(folder);
  let fetched = 0;
  const model = await loadConversion(folder, async () => {
    fetched += 1;
    return whole;
  });
  const own = await loadInThisProcess(whole);
  expect(model.signatures).toEqual(own.signatures);
  const [{ inputs } = { inputs: [] }] = own.signatures;
  const feeds = new Map<string, Tensor>(
    inputs.map(({ name, dtype, shape }): [string, Tensor] => {
      const sizes = shape!.map((size) => Math.abs(size));
      const zeros = Array<number>(sizes.reduce((product, size) => product * size, 1)).fill(0);
      if (dtype === 'int32') return [name, { dtype, shape: sizes, data: Int32Array.from(zeros) }];
      return [name, { dtype: 'float32', shape: sizes, data: Float32Array.from(zeros, () => 0.3) }];
    }),
  );
  for (const name of ['serving_default', 'serve', 'serve']) {
    expect(await model.run(name, feeds)).toEqual(await own.run(name, feeds));
    expect(fetched).toBe(name === 'serve' ? 1 : 0);
  }
});
