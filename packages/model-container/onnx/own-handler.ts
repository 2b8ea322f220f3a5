import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the handler that inferdrop adds to an ONNX archive which has none. */
function readHandler(): Uint8Array {
  return readFileSync(new URL(import.meta.resolve('#model-container/onnx/python/inference.py')));
}

/** The handler of an archive that answers bundles, beside the one that opens them. */
const SERVED = 'inferdrop_served.py';

/** Whether an archive has been given a handler that opens bundles. */
export function opensBundles(modelDir: string): boolean {
  return isFile(join(modelDir, 'code', SERVED));
}

/**
 * Whether an archive is an ONNX model with that handler, byte for byte: onnxruntime of this stack then answers as the handler does, without
 * Python.
 *
 * @param handler that handler, where this package is bundled without its file
 */
export function isPlainOnnx(modelDir: string, handler?: Uint8Array): boolean {
  const script = join(modelDir, 'code', opensBundles(modelDir) ? SERVED : 'inference.py');
  if (!isFile(join(modelDir, 'model.onnx')) || !isFile(script)) return false;
  return readFileSync(script).equals(handler ?? readHandler());
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
