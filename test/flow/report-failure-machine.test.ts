import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalStates, localStates } from '../support/local-states.ts';
import { readMachine } from '../support/read-machine.ts';

let stack: LocalStates;
let machine: string;
let calls: [name: string, payload: Record<string, unknown>][];
const failure = { error: 'Lambda.Unknown', cause: 'out of memory' };
const input = {
  schema: 1,
  run: 'p/d/000001',
  executionArn: 'arn:dead',
  startedAt: '2026-03-01T12:00:00Z',
  failure,
  isMessageWritten: false,
};

beforeEach(async () => {
  calls = [];
  stack = await localStates();
  machine = await stack.machine('report-failure', await readMachine('report-failure'));
  stack.functions['write-report'] = (payload) => {
    calls.push(['write-report', payload]);
    return { status: 'failed', gate: 'none', report: 'r' };
  };
  stack.functions['notify'] = (payload) => {
    calls.push(['notify', payload]);
    return { messageId: 'm' };
  };
});
afterEach(() => stack.close());

async function run(given: object): ReturnType<LocalStates['describe']> {
  const arn = await stack.start(machine, given);
  await stack.clock.advance(3_600_000);
  return stack.describe(arn);
}

test('a dead run gets a report, then a message', async () => {
  expect((await run(input)).status).toBe('SUCCEEDED');
  const { schema: _schema, isMessageWritten: _isMessageWritten, ...reported } = input;
  expect(calls).toEqual([
    ['write-report', reported],
    ['notify', { run: input.run, status: 'failed' }],
  ]);
});

test('a message that is written already is only sent', async () => {
  expect((await run({ ...input, isMessageWritten: true })).status).toBe('SUCCEEDED');
  expect(calls).toEqual([['notify', { run: input.run, status: 'failed' }]]);
});

test('a message that cannot be sent fails the execution, for the alarm', async () => {
  stack.functions['notify'] = () => {
    throw new Error('no topic');
  };
  expect((await run(input)).status).toBe('FAILED');
});
