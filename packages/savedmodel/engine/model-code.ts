import { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const { resolve } = createRequire(import.meta.url);

/** Folders that the process of a model imports from: this package, the one of images, and those that npm has installed for both. */
export const modelCode = (): readonly string[] => [
  fileURLToPath(new URL('../', import.meta.url)),
  dirname(resolve('@inferdrop/image/internal/pixels')),
  ...['re2js', 'onnxruntime-node'].map(modulesWith),
];
/** Variables by which the process finds ONNX Runtime. */
export const modelVariables = (): Readonly<Record<string, string>> => ({});

/** The `node_modules` that a package lies in. */
function modulesWith(name: string): string {
  const modules = `${sep}node_modules${sep}`;
  const file = resolve(name);
  return file.slice(0, file.lastIndexOf(modules) + modules.length);
}
