import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { INSPECTIONS } from '../../../src/frameworks/inspections.ts';
import { readArchive } from '../../../src/model/read-archive.ts';
import { torchScriptModes } from '../../../src/model/torchscript.ts';
import { pieces } from '../../support/pieces.ts';

/** Files that test/fixtures/torchscript/make_torchscript.py has saved with PyTorch 2.13. */
const saved = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../../fixtures/torchscript', `${name}.pt`));

const modesOf = (bytes: Buffer, tail = bytes) =>
  torchScriptModes({ head: bytes, tail, sizeBytes: bytes.length });

test.each([
  ['training', { training: ['BatchNorm1d', 'Dropout'], random: [] }],
  ['eval', { training: [], random: [] }],
  // The outer module is one that nobody has put into evaluation mode, and does nothing by it.
  ['wrapped', { training: [], random: [] }],
  ['traced-training', { training: ['BatchNorm1d', 'Dropout'], random: [] }],
  ['frozen', { training: [], random: [] }],
  ['noise', { training: [], random: ['torch.randn_like'] }],
  ['functional', { training: [], random: ['dropout'] }],
])('modes of a model that is %s', (name, modes) => {
  expect(modesOf(saved(name))).toEqual(modes);
});

test('nothing is said of a file whose code lies elsewhere, or that is damaged', () => {
  const whole = saved('training');
  expect(modesOf(whole, whole.subarray(-3_000))).toBeUndefined();
  for (let cut = 1; cut < whole.length; cut += 97) {
    const damaged = Buffer.from(whole);
    damaged[cut] = 255 - (damaged[cut] ?? 0);
    expect(() => modesOf(damaged)).not.toThrow();
  }
});

/** The same archive with one more entry of this size at its end. */
function withEntryBehind(zip: Buffer, sizeBytes: number): Buffer {
  const end = zip.lastIndexOf('PK\u0005\u0006');
  const [count, length] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 12)];
  const start = zip.indexOf('PK\u0001\u0002');
  const name = Buffer.from('training/extra');
  const header = Buffer.alloc(30);
  header.write('PK\u0003\u0004', 'latin1');
  for (const at of [18, 22]) header.writeUInt32LE(sizeBytes, at);
  header.writeUInt16LE(name.length, 26);
  const listed = Buffer.alloc(46);
  listed.write('PK\u0001\u0002', 'latin1');
  header.copy(listed, 6, 4, 30);
  listed.writeUInt32LE(start, 42);
  const directory = zip.subarray(start, start + length);
  const last = Buffer.alloc(22);
  last.write('PK\u0005\u0006', 'latin1');
  for (const at of [8, 10]) last.writeUInt16LE(count + 1, at);
  last.writeUInt32LE(length + listed.length + name.length, 12);
  last.writeUInt32LE(start + header.length + name.length + sizeBytes, 16);
  return Buffer.concat([
    ...[zip.subarray(0, start), header, name, Buffer.alloc(sizeBytes)],
    ...[directory, listed, name, last],
  ]);
}

test('a file that has its code before its last megabyte is told by inspect', async () => {
  const modesIn = async (sizeBytes: number) => {
    const files = { 'model.pt': withEntryBehind(saved('training'), sizeBytes) };
    const archive = await readArchive(pieces(await modelArchive(files), 1000));
    if ('reason' in archive) throw new Error(archive.reason);
    return archive.modes ?? new Map();
  };
  await expect(modesIn(1000)).resolves.toEqual(
    new Map([['model.pt', { training: ['BatchNorm1d', 'Dropout'], random: [] }]]),
  );
  const modes = await modesIn(2_000_000);
  expect(modes).toEqual(new Map([['model.pt', null]]));
  const handler = { script: null, requirements: [], hasLib: false };
  const scripts = { uncompilable: [], damage: [], refused: [], remarks: [] };
  expect(
    INSPECTIONS.pytorch.runs({ models: [], handler, onnx: null, scripts, modes }, () => 'installed'),
  ).toContain(
    "answers: not known whether model.pt was saved in training mode, since its code isn't in its last megabyte: call " +
      'model.eval() before you save it',
  );
});

test('a model in training mode is refused if no model_fn can put it into evaluation mode', async () => {
  const problemsOf = async (name: string, code?: string) => {
    const files = { 'model.pt': saved(name), ...(code !== undefined && { 'code/inference.py': code }) };
    const archive = await readArchive(pieces(await modelArchive(files), 1000));
    if ('reason' in archive) throw new Error(archive.reason);
    const needs = { framework: 'pytorch', contentType: 'application/json', networkIsolation: false } as const;
    return layoutProblems(archive.files, needs, archive);
  };
  await expect(problemsOf('training')).resolves.toEqual([
    'has no model_fn in code/inference.py, and its model.pt was saved in training mode, in which BatchNorm1d, Dropout ' +
      'drop values at random or take ' +
      'the mean of whatever records come together: call model.eval() before torch.jit.script or torch.jit.trace, and save it again',
  ]);
  await expect(problemsOf('training', 'def model_fn(folder): pass')).resolves.toEqual([]);
  await expect(problemsOf('eval')).resolves.toEqual([]);
});
