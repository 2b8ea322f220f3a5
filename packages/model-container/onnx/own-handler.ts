import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * SHA-256 of each version of `python/inference.py`, the handler that inferdrop adds to an ONNX archive without one. An archive
 * keeps its version, and an endpoint of an earlier stack serves it.
 */
const HANDLERS: ReadonlySet<string> = new Set([
  '916cb5c0adea35783eba216332f8e7e791119be30e5806f0202c8f4ee953b3ca',
  '85219b298d0018c5fe0d7b51e7aac1b7713176e93b772b0d9bc2df2ddfacd2dc',
  '4da6ccf08c985f7db4ce398ee8dcc0a2e664bd40ebd8b6b3383ef9cbf99ee089',
  '52f1effb6abfead002ced2b11673afb1aa19ad5049f0909a62a60b3fdd2475f0',
  '62bc52cacc1329d99637d83e415f53df07580a50ddde45aa01ec938201f5a9a5',
  '5295688f6c10f0e891754f417157629a2764c9a5875da6d3cc4604bfce256b22',
]);

/** The handler of an archive that answers bundles, next to the one that opens them. */
const SERVED = 'inferdrop_served.py';

/** Whether an archive has been given a handler that opens bundles. */
export function opensBundles(modelDir: string): boolean {
  return isFile(join(modelDir, 'code', SERVED));
}

/**
 * Whether an archive is an ONNX model with that handler, byte for byte: onnxruntime of this stack then answers as the handler does, without
 * Python.
 */
export function isPlainOnnx(modelDir: string): boolean {
  const script = join(modelDir, 'code', opensBundles(modelDir) ? SERVED : 'inference.py');
  return isFile(join(modelDir, 'model.onnx')) && isFile(script) && isOwnHandler(readFileSync(script));
}

/** Whether a script is that handler, of whichever version. */
function isOwnHandler(script: Uint8Array): boolean {
  return HANDLERS.has(createHash('sha256').update(script).digest('hex'));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
