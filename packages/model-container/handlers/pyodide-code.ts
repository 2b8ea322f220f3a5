import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const PYODIDE = fileURLToPath(import.meta.resolve('pyodide'));

/** Imports of a process with Pyodide: this stack's own files, and two packages. */
export const PYODIDE_CODE: readonly string[] = [
  fileURLToPath(new URL('.', import.meta.url)),
  fileURLToPath(new URL('../python-process/python-frames.ts', import.meta.url)),
  dirname(PYODIDE),
  dirname(createRequire(PYODIDE).resolve('ws')),
];
