import { expect, test } from 'vitest';
import { scriptedMachine, throws } from '../support/scripted-machine.ts';

const dead = {
  run: 'p/d/000001',
  executionArn: 'arn:dead',
  startedAt: '2026-03-01T12:00:00Z',
  failure: { error: 'Lambda.Unknown', cause: 'out of memory' },
};
const { run, called, payload } = scriptedMachine('report-failure', {
  good: { 'write-report': [{ status: 'failed', gate: 'none', report: 'r' }], notify: [{ messageId: 'm' }] },
  input: { ...dead, isMessageWritten: false },
});

test('a dead run gets a report, then a message', async () => {
  expect((await run()).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['write-report', 'notify']);
  expect(payload('write-report')).toEqual(dead);
  expect(payload('notify')).toEqual({ run: dead.run, status: 'failed' });
});

test('a dead training has the report of a training', async () => {
  const training = 'training/p/d/000001';
  const reports = { 'write-training-report': [{ status: 'failed' }] };
  expect((await run(reports, { run: training })).status).toBe('SUCCEEDED');
  expect(called()).toEqual(['write-training-report', 'notify']);
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
