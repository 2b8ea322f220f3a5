import { expect, test } from 'vitest';
import { changeJson, claimChange, isRunning, releaseChange } from '../../../src/app/records/endpoint.ts';
import type { EndpointChange } from '../../../src/endpoint/change.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = new Date(NOW.getTime() + 1_000).toISOString();
const STORED = {
  schema: 1,
  action: 'deploy',
  executionArn: 'first',
  startedAt: NOW.toISOString(),
  endpointName: 'e',
  configName: 'c',
  previousConfigName: 'served-before',
  requested: false,
  run: null,
  inherited: false,
  candidateName: null,
  busyUntil: null,
};
const change = (changes: object = {}): EndpointChange =>
  changeJson('clothes').parse(JSON.stringify({ ...STORED, ...changes }));
const claimed = async (found: object, status: string, ours: object = {}) => {
  const store = memoryObjectStore();
  await changeJson('clothes').write(store, change(found));
  const executions = { describe: async () => ({ status }) as never };
  return claimChange(store, executions, 'clothes', change({ executionArn: 'second', ...ours }), NOW);
};

test('a change is taken over where its execution and its last step have ended', async () => {
  expect(await claimed({}, 'FAILED')).toMatchObject({ executionArn: 'second' });
  expect(await claimed({ busyUntil: NOW.toISOString() }, 'FAILED')).toMatchObject({ executionArn: 'second' });
  expect(await claimed({ busyUntil: later }, 'FAILED')).toBeUndefined();
});

test.each(['RUNNING', 'PENDING_REDRIVE'])('an execution that is %s may still act', async (status) => {
  expect(await isRunning({ describe: async () => ({ status }) as never }, 'first')).toBe(true);
  expect(await claimed({}, status)).toBeUndefined();
});

test('a change is ended by the execution that made it alone', async () => {
  const store = memoryObjectStore();
  await releaseChange(store, 'clothes', 'first');
  await changeJson('clothes').write(store, change());
  await releaseChange(store, 'clothes', 'second');
  expect(await changeJson('clothes').read(store)).toEqual(change());
  await releaseChange(store, 'clothes', 'first');
  expect(store.keys()).toEqual([]);
});
