import { expect, test } from 'vitest';
import { withErrorNames } from '../../../src/aws/aws-error.ts';
import { isDiskFull } from '../../../src/cli/disk-full.ts';
import { isLostConnection } from '../../../src/cli/finish-run.ts';
import { nearRuns, requireRun } from '../../../src/cli/near-runs.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

function storeWith(...runs: readonly string[]) {
  const store = memoryObjectStore();
  for (const [at, run] of runs.entries()) {
    const summary = {
      ...{ schema: 1, run, status: 'completed', endedAt: '2026-11-21T10:00:00.000Z', total: 1, correct: 1 },
      ...{ accuracy: 1, costUsd: 0, gate: 'none' },
    };
    store.put(`index/${run.split('/')[0]}/${at}.json`, JSON.stringify(summary));
  }
  return store;
}

test.each([
  ['monday', ['clothes/monday/000002', 'clothes/monday/000001']],
  ['clothes/monday', ['clothes/monday/000002', 'clothes/monday/000001']],
  ['clothes/mondya/000001', ['clothes/monday/000001']],
  ['nothing-like-it', []],
])('runs that %s may mean are %j', async (text, near) => {
  const store = storeWith('clothes/monday/000002', 'clothes/monday/000001', 'digits/friday/000001');
  expect(await nearRuns(store, text)).toEqual(near);
});

test('text that is no run is refused with those that it may mean', async () => {
  const store = storeWith('clothes/monday/000001');
  await expect(requireRun(store, 'monday')).rejects.toThrow('is monday: did you mean clothes/monday/000001?');
  await expect(requireRun(memoryObjectStore(), 'monday')).rejects.toThrow('inferdrop runs lists them');
  // A run that has not ended is in no list.
  expect(await requireRun(store, 'clothes/friday/000001')).toBe('clothes/friday/000001');
});

const failed = (code: string) => Object.assign(new Error('failed'), { code });

test('a full disk and a lost connection are told by their codes', () => {
  expect(['ENOSPC', 'EDQUOT', 'ENOENT'].map((code) => isDiskFull(failed(code)))).toEqual([true, true, false]);
  expect(['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].map((code) => isLostConnection(failed(code)))).toEqual([
    ...[true, true],
    false,
  ]);
});

test('a lost connection is told by its cause, too, where the call has renamed its error', async () => {
  const error = await withErrorNames(Promise.reject(failed('ECONNREFUSED'))).catch(
    (renamed: unknown) => renamed,
  );
  expect([error instanceof Error && error.name, isLostConnection(error)]).toEqual(['NetworkingError', true]);
});
