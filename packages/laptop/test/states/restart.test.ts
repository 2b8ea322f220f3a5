import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DescribeMapRunCommand, ListExecutionsCommand, ListMapRunsCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let dir: string;
let stack: LocalStates;
let functions: Record<string, (event: unknown) => unknown>;
beforeEach(async () => {
  functions = {};
  dir = temporaryFolder('states-');
  stack = await localStates({ dir, functions });
});
afterEach(() => stack.close());

/** The stack ends; another takes its place `downMs` later. */
async function restart(downMs = 0): Promise<void> {
  const { clock } = stack;
  await stack.close();
  await clock.advance(downMs);
  stack = await localStates({ dir, functions, clock });
  stack.states.start();
  await clock.advance(0);
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

test('an execution goes on in the state where it stood, with its variables, and says nothing on the bus', async () => {
  const definition = jsonata({
    First: { Type: 'Pass', Assign: { kept: [1, 'two'] }, Output: 5, Next: 'Pause' },
    Pause: { Type: 'Wait', Seconds: 60, Next: 'Last' },
    Last: { Type: 'Pass', Output: '{% [$states.input, $kept] %}', End: true },
  });
  const arn = await stack.start(await stack.machine('m', definition), { a: 1 });
  await stack.clock.advance(20_000);
  await restart();
  expect(await stack.describe(arn)).toMatchObject({ status: 'RUNNING', input: '{"a":1}' });
  await stack.clock.advance(39_999);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  expect(stack.events).toEqual([]);
  await stack.clock.advance(1);
  expect(await stack.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '[5,1,"two"]' });
  expect(stack.events.map(({ detail }) => detail['status'])).toEqual(['SUCCEEDED']);
  const history = await stack.history(arn);
  expect(history.map(({ id, type }) => [id, type])).toEqual([
    [1, 'ExecutionStarted'],
    [2, 'PassStateEntered'],
    [3, 'PassStateExited'],
    [4, 'WaitStateEntered'],
    [5, 'WaitStateExited'],
    [6, 'PassStateEntered'],
    [7, 'PassStateExited'],
    [8, 'ExecutionSucceeded'],
  ]);
});

test('a wait whose time passed while the stack was down is over at once', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await restart(3_600_000);
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});

test('a clock that is put back makes no wait longer', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await restart(-3_600_000);
  await stack.clock.advance(60_000);
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});

test("the machine's time limit counts from the execution's start, the time without a stack included", async () => {
  const wait = jsonata({ A: { Type: 'Wait', Seconds: 600, End: true } }, { TimeoutSeconds: 300 });
  const machine = await stack.machine('m', wait);
  const arn = await stack.start(machine);
  await restart(299_000);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(1_000);
  expect((await stack.describe(arn)).status).toBe('TIMED_OUT');
  const late = await stack.start(machine);
  await restart(3_600_000);
  expect((await stack.describe(late)).status).toBe('TIMED_OUT');
});

test('the attempt of a Task that was cut off is made again', async () => {
  const inputs: unknown[] = [];
  functions['once'] = (event) => {
    inputs.push(event);
    return inputs.length === 1 ? new Promise(() => undefined) : 'done';
  };
  const arn = await stack.start(await stack.machine('m', jsonata({ A: invoke('once') })), { a: 1 });
  await restart();
  expect(await stack.describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '"done"' });
  expect(inputs).toEqual([{ a: 1 }, { a: 1 }]);
  await restart();
  expect(inputs).toHaveLength(2);
});

test('an execution whose input did not come to the disk was never started: its name is free', async () => {
  const machine = await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } }));
  const arn = await stack.start(machine, { a: 1 }, 'n');
  await stack.close();
  await rm(join(dir, 'executions'), { recursive: true });
  stack = await localStates({ dir, functions });
  stack.states.start();
  await expect(stack.describe(arn)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
  expect(stack.events).toEqual([]);
  await stack.start(machine, { a: 2 }, 'n');
  await restart();
  expect(await stack.describe(arn)).toMatchObject({ status: 'RUNNING', input: '{"a":2}' });
});

test('what cannot go on has failed, with its event on the bus once', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await stack.close();
  await writeFile(join(dir, 'definitions.json'), '{"schema":1,"documents":{}}');
  stack = await localStates({ dir, functions });
  stack.states.start();
  expect(await stack.describe(arn)).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: expect.stringContaining('definitions.json has lost the definition'),
  });
  expect((await stack.history(arn)).at(-1)).toMatchObject({ id: 3, type: 'ExecutionFailed' });
  expect(stack.events.map(({ detail }) => [detail['executionArn'], detail['status']])).toEqual([
    [arn, 'FAILED'],
  ]);
  await restart();
  expect(stack.events).toEqual([]);
});

test('a stack that ends before it resumes leaves everything as it is', async () => {
  const arn = await stack.start(
    await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 60, End: true } })),
  );
  await stack.close();
  await (await localStates({ dir, functions })).close();
  stack = await localStates({ dir, functions });
  stack.states.start();
  await stack.clock.advance(60_000);
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
  expect(await stack.history(arn)).toHaveLength(4);
});

test('a map run goes on: what its children gave stays, those that ran go on, the others follow', async () => {
  const begun: unknown[] = [];
  functions['noted'] = (event) => {
    begun.push(event);
    return event;
  };
  const map = {
    Type: 'Map',
    Items: [0, 60, 1],
    MaxConcurrency: 2,
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'B',
      States: {
        B: invoke('noted', { End: undefined, Next: 'C' }),
        C: { Type: 'Wait', Seconds: '{% $states.input %}', Next: 'D' },
        D: { Type: 'Pass', Output: '{% $states.input * 10 %}', End: true },
      },
    },
    End: true,
  };
  const executionArn = await stack.start(await stack.machine('m', jsonata({ A: map })));
  expect(begun).toEqual([0, 60, 1]);
  await restart(500);
  const { mapRuns } = await stack.client.send(new ListMapRunsCommand({ executionArn }));
  expect(mapRuns).toHaveLength(1);
  const mapRunArn = mapRuns?.[0]?.mapRunArn;
  const list = new ListExecutionsCommand({ mapRunArn });
  expect((await stack.client.send(list)).executions?.map(({ status }) => status).sort()).toEqual([
    'RUNNING',
    'RUNNING',
    'SUCCEEDED',
  ]);
  await stack.clock.advance(59_500);
  expect(await stack.describe(executionArn)).toMatchObject({ status: 'SUCCEEDED', output: '[0,600,10]' });
  expect(begun).toEqual([0, 60, 1]);
  const run = await stack.client.send(new DescribeMapRunCommand({ mapRunArn }));
  expect([run.status, run.executionCounts?.succeeded, run.itemCounts?.succeeded]).toEqual([
    'SUCCEEDED',
    3,
    3,
  ]);
  const types = (await stack.history(executionArn)).map(({ type }) => type);
  expect(types.filter((type) => type === 'MapRunStarted')).toHaveLength(1);
});
