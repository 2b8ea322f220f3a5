import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../../../src/cli/root-folder.ts';
import { findPart } from '../../parts.mjs';

const anchor = findPart('onnxruntime', ROOT);
const runtime = anchor && createRequire(anchor).resolve('onnxruntime-node');
const common = runtime && createRequire(runtime).resolve('onnxruntime-common');

/** Folders that the process of a model imports from: its own bundle, and ONNX Runtime, which may lie in the user's cache. */
export const MODEL_CODE: readonly string[] = [
  path.dirname(fileURLToPath(import.meta.resolve('#savedmodel/engine/model-process.ts'))),
  ...[runtime, common].flatMap(
    (file) => file?.replace(/(?<=[/\\]node_modules)[/\\](?!.*[/\\]node_modules[/\\]).*/, '') ?? [],
  ),
];
/** Variables by which the process finds ONNX Runtime. */
export const MODEL_VARIABLES: Readonly<Record<string, string>> = { ...(runtime && { ONNXRUNTIME: runtime }) };
