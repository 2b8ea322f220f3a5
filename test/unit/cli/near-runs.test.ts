import { expect, test } from 'vitest';
import { withErrorNames } from '../../../src/aws/calls/aws-error.ts';
import { isDiskFull } from '../../../src/cli/laptop/disk-full.ts';
import { isLostConnection } from '../../../src/cli/runs/finish-run.ts';
import { nearRuns, requireBegun, requireFrozen, requireRun } from '../../../src/cli/runs/near-runs.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { runSummary } from '../../support/run-summary.ts';

function storeWith(...runs: readonly string[]) {
  const store = memoryObjectStore();
  for (const [at, run] of runs.entries()) {
    store.put(
      `index/${run.split('/')[0]}/${at}.json`,
      runSummary({ run, endedAt: '2026-11-21T10:00:00.000Z' }),
    );
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

test('a generation may be given without its zeros', async () => {
  const store = storeWith('clothes/monday/000002', 'clothes/monday/000001');
  await expect(requireRun(store, 'clothes/monday/1')).rejects.toThrow(
    /did you mean clothes\/monday\/000001\?/,
  );
});

test('a run that does not exist is told from one that waits, with those that may be meant', async () => {
  const store = storeWith('clothes/monday/000001');
  store.put('state/clothes/monday/000001/frozen.json', '{}');
  await expect(requireFrozen(store, 'clothes/monday/000001')).resolves.toBe(undefined);
  await expect(requireFrozen(store, 'clothes/mondya/000001')).rejects.toThrow(
    'clothes/mondya/000001 does not exist, or waits for its files still; did you mean clothes/monday/000001?',
  );
  const begun = ['clothes-monday-000001'];
  const executions = () => ({
    arnOf: (name: string) => name,
    describe: async (arn: string) => (begun.some((one) => arn.startsWith(one)) ? ({} as never) : undefined),
  });
  const application = { store, executions } as never;
  store.put('incoming/clothes/tuesday/a.png', '');
  for (const run of ['clothes/monday/000001', 'clothes/tuesday/000001'])
    await expect(requireBegun(application, run)).resolves.toBe(undefined);
  for (const run of ['clothes/mondya/000001', 'clothes/tuesday/000002'])
    await expect(requireBegun(application, run)).rejects.toThrow(`${run} does not exist`);
});
