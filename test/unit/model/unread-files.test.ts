import { expect, test } from 'vitest';
import { unreadFiles } from '../../../src/model/unread-files.ts';

const MODEL = '1/saved_model.pb';
const HANDLER = 'code/inference.py';
const SCRIPT =
  'import json\nfrom helper import K\ndef handler(data, context): return open("/opt/ml/model/rows.py")';

const problems = (files: readonly string[], script?: string): string[] =>
  unreadFiles([MODEL, ...files], {
    scripts: new Map(script === undefined ? [] : [[HANDLER, script]]),
  }).map(({ problem }) => problem);

test.each([
  ['1/code/inference.py', HANDLER],
  ['inference.py', HANDLER],
  ['model/code/inference.py', HANDLER],
  ['code/code/inference.py', HANDLER],
  ['code/src/inference.py', HANDLER],
  ['code/Inference.py', HANDLER],
  ['code/inferense.py', HANDLER],
  ['code/infrence.PY', HANDLER],
  ['1/inferece.py', HANDLER],
  ['code/handler.py', HANDLER],
])('%s is read by no container, and its place is %s', (file, place) => {
  expect(problems([file])).toEqual([`has ${file}, which no container reads: move it to ${place}`]);
});

test('beside a handler, code counts as read that a script names or may find', () => {
  for (const file of ['rows.py', 'helper/inference.py', 'code/helper/inference.py', 'code/requirements.txt'])
    expect(problems([HANDLER, file], SCRIPT)).toEqual([]);
  expect(problems([HANDLER, 'inference.py'], 'import sys\nsys.path.append("/opt/ml/model")')).toEqual([]);
  expect(problems([HANDLER, '1/code/requirements.txt', 'code/Inference.py'], SCRIPT)).toEqual([
    'has 1/code/requirements.txt, which no container reads: move it to code/requirements.txt',
    'has code/Inference.py, which no container reads: leave it out, or let code/inference.py read it',
  ]);
  // Too long to be read: it may name anything.
  expect(problems([HANDLER, 'inference.py'])).toEqual([]);
});

test.each([
  [['train.py', 'src/net.py', 'setup.py', '__init__.py', 'code/__init__.py', 'code/train.py']],
  [['requirements.txt', 'code/requirements.txt']],
])('beside a handler, %j do no harm', (files) => {
  expect(problems([HANDLER, ...files], SCRIPT)).toEqual([]);
});

test.each([
  'README.md',
  'code/lib/foo/inference.py',
  'code/wheels/a.whl',
  '1/assets/inference.py',
  '._inference.py',
  '__MACOSX/code/._inference.py',
  'code/.ipynb_checkpoints/inference-checkpoint.py',
  'code/__pycache__/inference.cpython-312.pyc',
  'code/requirements.txt',
  'code/notes.txt',
  'code/__init__.py',
  'requirements.txt',
  'train.py',
  'src/model.py',
])('%s is no code in a wrong place', (file) => {
  expect(problems([file])).toEqual([]);
});
