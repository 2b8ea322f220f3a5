/** Entry of the process that boots Python once and writes its memory into the file that is its argument. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadPyodide } from 'pyodide';
import { createJsGlobals } from './js-globals.ts';

/** Modules that handlers and the service import anyway. */
const PRELOADED =
  'import base64, collections, csv, importlib.util, io, json, logging, math, os, re, struct, sys, traceback, typing, urllib.parse';

const [, , file = ''] = process.argv;
const python = await loadPyodide({
  jsglobals: createJsGlobals(),
  env: { HOME: '/root' },
  _makeSnapshot: true,
});
python.runPython(PRELOADED);
mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
// By rename, so that a container that starts meanwhile never reads half of it.
const next = `${file}.${process.pid}.next`;
writeFileSync(next, python.makeMemorySnapshot());
renameSync(next, file);
