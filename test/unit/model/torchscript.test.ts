import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { layoutProblems } from '../../../src/model/archive-layout.ts';
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

test('a model in training mode is refused if no model_fn can put it into evaluation mode', async () => {
  const problemsOf = async (name: string, code?: string) => {
    const files = { 'model.pt': saved(name), ...(code !== undefined && { 'code/inference.py': code }) };
    const archive = await readArchive(pieces(await modelArchive(files), 1000));
    if ('reason' in archive) throw new Error(archive.reason);
    const needs = { framework: 'pytorch', contentType: 'application/json', networkIsolation: false } as const;
    return layoutProblems(archive.files, needs, archive);
  };
  await expect(problemsOf('training')).resolves.toEqual([
    'has no model_fn in code/inference.py, and its model.pt was saved in training mode, in which BatchNorm1d, Dropout drop values at random or take ' +
      'the mean of whatever records come together: call model.eval() before torch.jit.script or torch.jit.trace, and save it again',
  ]);
  await expect(problemsOf('training', 'def model_fn(folder): pass')).resolves.toEqual([]);
  await expect(problemsOf('eval')).resolves.toEqual([]);
});
