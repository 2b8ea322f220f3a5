import { expect, it } from 'vitest';
import { isPipelineName, parseRunId, RunId, RunParts, toRunId } from '../../../src/run/run-id.ts';

it.each<[string, RunParts]>([
  ['cifar10/monday/000001', { kind: 'inference', pipeline: 'cifar10', drop: 'monday', generation: '000001' }],
  ['a/b c/000012r3', { kind: 'inference', pipeline: 'a', drop: 'b c', generation: '000012r3' }],
  [
    'a.b-c_d/../999999r9999',
    { kind: 'inference', pipeline: 'a.b-c_d', drop: '..', generation: '999999r9999' },
  ],
  [
    'training/cifar10/a b/000001',
    { kind: 'training', pipeline: 'cifar10', drop: 'a b', generation: '000001' },
  ],
  [
    'cifar10/training/000001',
    { kind: 'inference', pipeline: 'cifar10', drop: 'training', generation: '000001' },
  ],
])('%s is a run', (text, parts) => {
  expect(parseRunId(text)).toEqual(parts);
  expect(toRunId(parts)).toBe(text);
  expect(RunId.parse(text)).toBe(text);
  expect(RunParts.parse(text)).toEqual(parts);
});

it.each([
  '',
  '/',
  '//',
  'cifar10',
  'cifar10/monday',
  'cifar10//000001',
  '/monday/000001',
  'cifar10/monday/',
  'cifar10/monday/1',
  'cifar10/monday/0000001',
  'cifar10/monday/000001r',
  'cifar10/monday/000001r12345',
  'cifar10/monday/x000001',
  'cifar10/monday/000001/x',
  'cifar10/monday/000001/',
  'Cifar10/monday/000001',
  'training/monday/000001',
  'training/training/monday/000001',
  'training/cifar10/monday/',
  'training/cifar10/monday/000001/x',
])('"%s" is not a run', (text) => {
  expect(parseRunId(text)).toBeUndefined();
  for (const schema of [RunId, RunParts])
    expect(schema.safeParse(text).error?.issues).toMatchObject([
      { message: 'must be <pipeline>/<drop>/<generation>, as in cifar10/monday/000001' },
    ]);
});

it('pipelines are named in lower case, with 64 characters at most', () => {
  for (const name of ['a', '0', 'a-b', 'a.b', 'a_b', `a${'b'.repeat(62)}c`])
    expect(isPipelineName(name)).toBe(true);
  for (const name of ['', 'A', '-a', 'a-', '.', 'a/b', 'a b', 'é', 'a\n', 'training', `a${'b'.repeat(63)}c`])
    expect([name, isPipelineName(name)]).toEqual([name, false]);
});
