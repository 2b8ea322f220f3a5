import { expect, test } from 'vitest';
import { scriptedMachine, throws } from '../support/scripted-machine.ts';

const dead = {
  run: 'p/d/000001',
  executionArn: 'arn:dead',
  startedAt: '2026-03-01T12:00:00Z',
  failure: { error: 'Lambda.Unknown', cause: 'out of memory' },
};
const { run, called, payload } = scriptedMachine('report-failure', {
  good: {
    'await-left-jobs': [{ status: 'ended' }],
    'write-report': [{ status: 'failed', gate: 'none', report: 'r' }],
    notify: [{ messageId: 'm' }],
  },
  input: { ...dead, isMessageWritten: false },
});

test('a dead run gets a report, then a message', async () => {
  expect((await run()).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['await-left-jobs', 'write-report', 'notify']);
  expect(payload('write-report')).toEqual(dead);
  expect(payload('notify')).toEqual({ run: dead.run, status: 'failed' });
});

test('a dead training has the report of a training', async () => {
  const training = 'training/p/d/000001';
  const reports = { 'write-training-report': [{ status: 'failed' }] };
  expect((await run(reports, { run: training })).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['await-left-jobs', 'write-training-report', 'notify']);
  expect(payload('write-training-report')).toEqual({ ...dead, run: training });
  expect(payload('notify')).toEqual({ run: training, status: 'failed' });
});

test('a message that is written already is only sent', async () => {
  expect((await run({}, { isMessageWritten: true })).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['notify']);
  expect(payload('notify')).toEqual({ run: dead.run, status: 'failed' });
});

test('a message that cannot be sent fails the execution, for the alarm', async () => {
  expect((await run({ notify: [throws('Error', 'no topic')] })).status).toBe('FAILED');
});

test('the report waits for jobs that are stopping', async () => {
  const looks = [
    { status: 'waiting', waitSeconds: 1, poll: 1 },
    { status: 'waiting', waitSeconds: 1, poll: 2 },
    { status: 'ended' },
  ];
  expect((await run({ 'await-left-jobs': looks })).status).toBe('SUCCEEDED');
  const look = 'await-left-jobs';
  expect(called()).toEqual([look, look, look, 'write-report', 'notify']);
  expect(payload('await-left-jobs')).toEqual({ run: dead.run, poll: 2 });
  expect(payload('write-report')).toEqual(dead);
});

test('a dead run is reported though its jobs cannot be looked at', async () => {
  expect((await run({ 'await-left-jobs': [throws('Error', 'damaged plan')] })).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['await-left-jobs', 'write-report', 'notify']);
});

test('functions that are throttled for longer than an hour report the run at last', async () => {
  const throttled = Array.from({ length: 99 }, () => throws('Lambda.TooManyRequestsException'));
  const { status } = await run({
    'await-left-jobs': [...throttled, { status: 'ended' }],
    'write-report': [...throttled, { status: 'failed', gate: 'none', report: 'r' }],
  });
  expect([status, called().length]).toEqual(['SUCCEEDED', 201]);
});
