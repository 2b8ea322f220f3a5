import { expect, test } from 'vitest';
import { judgeProgress, pollSeconds } from '../../../src/endpoint/progress.ts';

const state = (status: string, configName = 'new', failureReason?: string) => ({
  status,
  configName,
  ...(failureReason !== undefined && { failureReason }),
});

test.each([
  ['new', state('Creating'), 'waiting'],
  ['new', state('Updating', 'old'), 'waiting'],
  ['new', state('RollingBack', 'old'), 'waiting'],
  ['new', state('InService'), 'reached'],
  [null, undefined, 'reached'],
  [null, state('Deleting'), 'waiting'],
])('expecting %s: %j is %s', (configName, found, status) => {
  expect(judgeProgress({ configName }, found).status).toBe(status);
});

const baking = (status: string) => ({ ...state(status, 'old'), bakingConfigName: 'new' });

test.each([
  ['new', baking('Updating'), 'baking'],
  ['old', baking('Updating'), 'waiting'],
  [null, baking('Updating'), 'waiting'],
  ['new', baking('RollingBack'), 'waiting'],
])('expecting %s, what is kept next to its update can go back: %j is %s', (configName, found, status) => {
  expect(judgeProgress({ configName }, found)).toEqual({ status, endpointStatus: found.status });
});

test.each([
  ['new', undefined, 'deleted meanwhile'],
  ['new', state('Failed', 'new', 'no ping'), 'Failed: no ping'],
  ['new', state('InService', 'old', 'no ping'), 'took the update back; old serves: no ping'],
  ['new', state('UpdateRollbackFailed', 'old'), 'UpdateRollbackFailed'],
  [null, state('InService'), 'not deleted'],
])('expecting %s: %j has failed', (configName, found, reason) => {
  expect(judgeProgress({ configName }, found)).toEqual({
    status: 'failed',
    reason: expect.stringContaining(reason),
  });
});

test('looks get rarer, up to every half minute', () => {
  expect([0, 1, 2, 4, 8, 12, 15, 16, 100_000].map(pollSeconds)).toEqual([1, 1, 1, 2, 5, 14, 28, 30, 30]);
});
