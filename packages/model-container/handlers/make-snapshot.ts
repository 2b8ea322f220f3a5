/** Entry of the process that boots Python once and writes its memory into the file that is its argument. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadPyodide } from 'pyodide';
import { IMAGE_PYTHON } from './image-python.ts';
import { createJsGlobals } from './js-globals.ts';

/** Modules that handlers and the service import anyway. */
const PRELOADED =
  'import ast, base64, collections, csv, importlib.util, io, json, logging, math, os, re, struct, sys, tokenize, traceback, typing, urllib.parse';
const INSTALL = `
import types
image_python = sys.modules['image_python'] = types.ModuleType('image_python')
exec(compile(source, 'image_python.py', 'exec'), image_python.__dict__)
image_python.install()
del image_python, source, types`;

const [, , file = ''] = process.argv;
const python = await loadPyodide({
  jsglobals: createJsGlobals(),
  env: { HOME: '/root' },
  _makeSnapshot: true,
});
python.runPython(PRELOADED);
python.globals.set('source', readFileSync(IMAGE_PYTHON, 'utf8'));
python.runPython(INSTALL);
mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
// By rename, so that a container that starts meanwhile never reads half of it.
const next = `${file}.${process.pid}.next`;
writeFileSync(next, python.makeMemorySnapshot());
renameSync(next, file);
