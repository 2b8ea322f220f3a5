import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The handler that inferdrop adds to an ONNX archive which has none. */
const HANDLER = new URL(import.meta.resolve('#model-container/onnx/python/inference.py'));

/**
 * Whether an archive is an ONNX model with that handler, byte for byte: onnxruntime of this stack then answers as the handler does, without
 * Python.
 */
export function isPlainOnnx(modelDir: string): boolean {
  const model = statSync(join(modelDir, 'model.onnx'), { throwIfNoEntry: false });
  const script = join(modelDir, 'code', 'inference.py');
  if (model?.isFile() !== true || statSync(script, { throwIfNoEntry: false })?.isFile() !== true)
    return false;
  return readFileSync(script).equals(readFileSync(HANDLER));
}
