import { fileURLToPath } from 'node:url';

/** Folders that the process of a model imports from in a checkout: this package with ONNX Runtime in it, and the others that it uses. */
export const modelCode = (): readonly string[] =>
  ['../', '../../image/', '../../../node_modules/'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  );
/** Variables by which the process finds ONNX Runtime. */
export const modelVariables = (): Readonly<Record<string, string>> => ({});
