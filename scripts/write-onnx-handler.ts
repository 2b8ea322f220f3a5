/** Writes src/frameworks/onnx/handler-text.ts from packages/model-container: `node scripts/write-onnx-handler.ts`. A test compares them. */
import { writeFile } from 'node:fs/promises';
import { onnxHandlerModule } from './onnx-handler.ts';

await writeFile(
  new URL('../src/frameworks/onnx/handler-text.ts', import.meta.url),
  await onnxHandlerModule(),
);
