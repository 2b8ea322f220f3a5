/** Entry of the process that boots Python once and writes its memory into the file that is its argument. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadPyodide } from 'pyodide';
import { createJsGlobals } from './js-globals.ts';
import { SNAPSHOT_MODULES } from './snapshot-modules.ts';

/** Modules that handlers and the service import anyway. */
const PRELOADED =
  'import ast, base64, collections, csv, importlib.util, io, json, logging, math, os, re, struct, sys, tokenize, ' +
  'traceback, typing, urllib.parse';
const ADD = `
import types
sys.modules[name] = types.ModuleType(name)
exec(compile(source, name + '.py', 'exec'), sys.modules[name].__dict__)
del name, source, types`;

const [, , file = ''] = process.argv;
const python = await loadPyodide({
  jsglobals: createJsGlobals(),
  env: { HOME: '/root' },
  _makeSnapshot: true,
});
python.runPython(PRELOADED);
for (const [name, file] of Object.entries(SNAPSHOT_MODULES)) {
  python.globals.set('name', name);
  python.globals.set('source', readFileSync(file, 'utf8'));
  python.runPython(ADD);
}
python.runPython("sys.modules['image_python'].install()");
mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
// By rename, so that a container that starts meanwhile never reads half of it.
const next = `${file}.${process.pid}.next`;
writeFileSync(next, python.makeMemorySnapshot());
renameSync(next, file);
