import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pyodideSnapshot } from '@inferdrop/model-container/internal/pyodide-snapshot';
import { copyFolder } from './copy-folder.ts';

/** The files that Pyodide reads when it starts. */
const FILES = [
  'package.json',
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'pyodide-lock.json',
  'python_stdlib.zip',
];
/** Pyodide imports it, and never calls it. */
const SOCKETS = 'ws';

/**
 * Adds Pyodide, which runs the scripts of models, to the code of a function, with the memory of a Python that has booted:
 * WebAssembly's memory is the same on each platform.
 */
export async function addPythonPart(folder: string): Promise<void> {
  const pyodide = path.dirname(createRequire(import.meta.url).resolve('pyodide'));
  const sockets = path.dirname(createRequire(path.join(pyodide, 'pyodide.mjs')).resolve(SOCKETS));
  const modules = path.join(folder, 'node_modules');
  for (const file of FILES)
    await cp(path.join(pyodide, file), path.join(modules, 'pyodide', file), { force: true });
  await copyFolder(sockets, path.join(modules, SOCKETS));
  await cp(await pyodideSnapshot(), path.join(modules, 'pyodide', 'python.snapshot'));
}
