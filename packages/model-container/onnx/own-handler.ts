import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the handler that inferdrop adds to an ONNX archive which has none. */
function readHandler(): Uint8Array {
  return readFileSync(new URL(import.meta.resolve('#model-container/onnx/python/inference.py')));
}

/**
 * Whether an archive is an ONNX model with that handler, byte for byte: onnxruntime of this stack then answers as the handler does, without
 * Python.
 *
 * @param handler that handler, where this package is bundled without its file
 */
export function isPlainOnnx(modelDir: string, handler?: Uint8Array): boolean {
  const model = statSync(join(modelDir, 'model.onnx'), { throwIfNoEntry: false });
  const script = join(modelDir, 'code', 'inference.py');
  if (model?.isFile() !== true || statSync(script, { throwIfNoEntry: false })?.isFile() !== true)
    return false;
  return readFileSync(script).equals(handler ?? readHandler());
}
