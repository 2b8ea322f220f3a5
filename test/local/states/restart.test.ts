import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DescribeMapRunCommand, ListExecutionsCommand, ListMapRunsCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalStates } from '../../support/local-states.ts';
import { invoke, jsonata, localStates } from '../../support/local-states.ts';

let dir: string;
let stack: LocalStates;
const functions = { hangs: () => new Promise(() => undefined), echo: (event: unknown) => event };
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'states-'));
  stack = await localStates({ dir, functions });
});
afterEach(async () => {
  await stack.close();
  await rm(dir, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await stack.close();
  stack = await localStates({ dir, functions });
}

test('machines, executions and histories survive', async () => {
  const machine = await stack.machine('m', jsonata({ A: { Type: 'Pass', Output: 7, End: true } }));
  const arn = await stack.start(machine, { a: 1 }, 'n');
  const history = await stack.history(arn);
  await restart();
  expect(await stack.describe(arn)).toMatchObject({
    status: 'SUCCEEDED',
    input: '{"a":1}',
    output: '7',
    stateMachineArn: machine,
  });
  expect(await stack.history(arn)).toEqual(history);
  await expect(stack.start(machine, { a: 1 }, 'n')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
  expect((await stack.describe(await stack.start(machine))).output).toBe('7');
});

test('what was running has failed, with its event on the bus once', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await restart();
  expect(await stack.describe(arn)).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: 'stack stopped',
  });
  expect((await stack.history(arn)).map(({ id, type }) => [id, type])).toEqual([
    [1, 'ExecutionStarted'],
    [2, 'WaitStateEntered'],
    [3, 'ExecutionFailed'],
  ]);
  expect(stack.events).toEqual([]);
  stack.states.announceOrphans();
  stack.states.announceOrphans();
  expect(stack.events.map(({ detail }) => [detail['executionArn'], detail['status']])).toEqual([
    [arn, 'FAILED'],
  ]);
});

test('a second restart changes nothing more', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await restart();
  const before = await stack.history(arn);
  await restart();
  stack.states.announceOrphans();
  expect([await stack.history(arn), stack.events]).toEqual([before, []]);
});

test('a map run that was running is aborted, with the children that had ended', async () => {
  const map = {
    Type: 'Map',
    Items: ['echo', 'hangs'],
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'B',
      States: { B: invoke('', { Arguments: { FunctionName: '{% $states.input %}' } }) },
    },
    End: true,
  };
  const executionArn = await stack.start(await stack.machine('m', jsonata({ A: map })));
  await restart();
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  const mapRunArn = mapRuns?.[0]?.mapRunArn;
  const run = await stack.client.send(new DescribeMapRunCommand({ mapRunArn }));
  expect([run.status, run.executionCounts?.succeeded]).toEqual(['ABORTED', 1]);
  const { executions } = await stack.client.send(
    new ListExecutionsCommand({ mapRunArn, statusFilter: 'SUCCEEDED' }),
  );
  expect(executions).toHaveLength(1);
});
