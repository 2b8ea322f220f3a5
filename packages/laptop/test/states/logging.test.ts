import { CreateStateMachineCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeEach(async () => {
  const fails = () => {
    throw new FunctionError('Mine');
  };
  stack = await localStates({ functions: { fails } });
});
afterEach(() => stack.close());

async function run(
  level: 'ALL' | 'ERROR' | 'FATAL' | 'OFF',
  includeExecutionData = true,
): Promise<unknown[]> {
  const logGroupArn = 'arn:aws:logs:us-east-1:000000000000:log-group:/aws/vendedlogs/states/m:*';
  const { stateMachineArn } = await stack.client.send(
    new CreateStateMachineCommand({
      name: 'm',
      roleArn: 'arn:aws:iam::000000000000:role/r',
      definition: JSON.stringify(jsonata({ A: invoke('fails') })),
      loggingConfiguration: {
        level,
        includeExecutionData,
        destinations: [{ cloudWatchLogsLogGroup: { logGroupArn } }],
      },
    }),
  );
  await stack.start(stateMachineArn!, { secret: 1 });
  return stack.logLines.map(({ message }) => message['type']);
}

test('ALL writes every event to the group', async () => {
  expect(await run('ALL')).toEqual([
    'ExecutionStarted',
    'TaskStateEntered',
    'TaskScheduled',
    'TaskStarted',
    'TaskFailed',
    'ExecutionFailed',
  ]);
  const [first] = stack.logLines;
  expect(first?.group).toBe('/aws/vendedlogs/states/m');
  expect(first?.stream).toMatch(/^states\/m\/2026-01-01-00-00\/[0-9a-f]{8}$/);
  expect(first?.message).toMatchObject({
    id: '1',
    previous_event_id: '0',
    event_timestamp: '1767225600000',
    details: { input: '{"secret":1}' },
  });
});

test('ERROR writes failures only', async () => {
  expect(await run('ERROR')).toEqual(['TaskFailed', 'ExecutionFailed']);
});

test('FATAL writes the end only', async () => {
  expect(await run('FATAL')).toEqual(['ExecutionFailed']);
});

test('OFF writes nothing', async () => {
  expect(await run('OFF')).toEqual([]);
});

test('data can be left out', async () => {
  expect(await run('ALL', false)).toContain('TaskFailed');
  expect(JSON.stringify(stack.logLines)).not.toContain('secret');
});
