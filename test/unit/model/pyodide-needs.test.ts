import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { missingInPyodide, PYODIDE_MODULES } from '../../../src/model/pyodide-needs.ts';

const missing = (script: string, requirements?: string, files: readonly string[] = []) =>
  missingInPyodide({
    files: ['code/inference.py', ...files],
    scripts: new Map([
      ['code/inference.py', script],
      ...(requirements === undefined ? [] : [['code/requirements.txt', requirements] as const]),
    ]),
  });

test('imports outside of the standard library and of the archive are named, each once', () => {
  const script = `"""
import nothing
"""
from __future__ import annotations
import json, numpy as np, requests
import tensorflow.keras  # heavy
from PIL import Image
from . import beside
from own.part import thing
import lib_module
import numpy
try:
    import cv2
except ImportError:
    cv2 = None
def handler(data, context):
    import late
`;
  const files = ['code/own/part.py', 'code/lib/lib_module.py'];
  expect(missing(script, undefined, files)).toEqual(['PIL', 'numpy', 'tensorflow']);
});

test('requirements are named as they stand, but not where code/lib replaces them', () => {
  const requirements = '# for images\nPillow==9 # exact\n--no-index\nrequests>=2\n\n';
  expect(missing('import json', requirements)).toEqual(['Pillow==9']);
  expect(missing('import json', requirements, ['code/lib/PIL/__init__.py'])).toEqual([]);
  expect(missing('')).toEqual([]);
});

test('the modules are those that Pyodide finds', async () => {
  // The packages have it as a dependency; the application does not.
  const container = createRequire(new URL('../../../packages/model-container/package.json', import.meta.url));
  const { loadPyodide } = await import(pathToFileURL(container.resolve('pyodide')).href);
  const python = await loadPyodide();
  const found = python.runPython(`
import importlib.util, json, sys
json.dumps([name for name in sys.stdlib_module_names if not name.startswith('_') and importlib.util.find_spec(name)])`);
  expect([...PYODIDE_MODULES].sort()).toEqual(JSON.parse(found).sort());
});
