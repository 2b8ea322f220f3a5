import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Signature } from '../savedmodel/servable-model.ts';
import type { RunnableSignature } from './convert-signature.ts';
import { loadModel } from './load-model.ts';
import { refusing } from './refusing.ts';

/** File that marks a converted version's folder, as `saved_model.pb` marks a SavedModel's. It holds everything but the network. */
export const CONVERSION_FILE = 'conversion.bin';
/** The network, unless the host does everything. */
const NETWORK = 'conversion.onnx';
/** Files and folders of a SavedModel that a conversion takes the place of. */
const REPLACED = ['saved_model.pb', 'variables'];

/** A SavedModel's signatures, and the one of them that nearly every caller wants in the form in which it runs. */
interface Conversion {
  readonly signatures: readonly Signature[];
  readonly converted: RunnableSignature;
}

/**
 * Converts a SavedModel, and puts the conversion in its place in the folder of its version. Only the code that wrote
 * it, by the digest of the converter, may read it: it is plain data without a schema.
 *
 * @throws {UnsupportedModel} {BrokenModel}
 */
export async function convertInPlace(versionDir: string): Promise<void> {
  const { signatures, converted } = await refusing(() => {
    const model = loadModel(versionDir);
    return { signatures: model.signatures, converted: model.convert(mainSignature(model.signatures)) };
  });
  const { onnx, ...rest } = converted;
  for (const name of REPLACED) await rm(join(versionDir, name), { recursive: true, force: true });
  if (onnx !== undefined) await writeFile(join(versionDir, NETWORK), onnx);
  await writeFile(
    join(versionDir, CONVERSION_FILE),
    serialize({ signatures, rest, hasNetwork: onnx !== undefined }),
  );
}

/** Reads the conversion in the folder of a version. */
export function readConversion(versionDir: string): Conversion {
  const { signatures, rest, hasNetwork } = deserialize(readFileSync(join(versionDir, CONVERSION_FILE)));
  return { signatures, converted: { ...rest, onnx: hasNetwork ? join(versionDir, NETWORK) : undefined } };
}

/** Name of the signature that nearly every caller wants. */
export function mainSignature(signatures: readonly Signature[]): string {
  const names = signatures.map(({ name }) => name);
  return names.includes('serving_default') ? 'serving_default' : (names[0] ?? '');
}
