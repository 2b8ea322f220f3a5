import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const PYODIDE = fileURLToPath(import.meta.resolve('pyodide'));

/** Imports of a process with Pyodide: this stack's own files, and two packages. */
export const PYODIDE_CODE: readonly string[] = [
  dirname(fileURLToPath(import.meta.resolve('#model-container/handlers/pyodide-process.ts'))),
  fileURLToPath(import.meta.resolve('#model-container/python-process/python-frames.ts')),
  dirname(PYODIDE),
  dirname(createRequire(PYODIDE).resolve('ws')),
];
