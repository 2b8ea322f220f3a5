import { readFile } from 'node:fs/promises';

/** The module src/frameworks/onnx/handler-text.ts: the handler of ONNX archives, which functions carry as a text. */
export async function onnxHandlerModule(): Promise<string> {
  const handler = new URL('../packages/model-container/onnx/python/inference.py', import.meta.url);
  const text = await readFile(handler, 'utf8');
  return (
    '/** The handler of ONNX archives, written by `npm run generate`. */\n' +
    `export const ONNX_HANDLER =\n  ${JSON.stringify(text)};\n`
  );
}
