import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { findPart } from '../../parts.mjs';

/** ONNX Runtime's file: the first command that needs it installs it, after this module was loaded. */
function findRuntime(): string | undefined {
  const anchor = findPart('onnxruntime', ROOT);
  return anchor && createRequire(anchor).resolve('onnxruntime-node');
}

/** Folders that the process of a model imports from: its own bundle, and ONNX Runtime, which may lie in the user's cache. */
export const modelCode = (): readonly string[] => {
  const runtime = findRuntime();
  const common = runtime && createRequire(runtime).resolve('onnxruntime-common');
  return [
    path.dirname(fileURLToPath(import.meta.resolve('#savedmodel/engine/model-process.ts'))),
    ...[runtime, common].flatMap(
      (file) => file?.replace(/(?<=[/\\]node_modules)[/\\](?!.*[/\\]node_modules[/\\]).*/, '') ?? [],
    ),
  ];
};
/** Variables by which the process finds ONNX Runtime. */
export const modelVariables = (): Readonly<Record<string, string>> => {
  const runtime = findRuntime();
  return { ...(runtime && { ONNXRUNTIME: runtime }) };
};
