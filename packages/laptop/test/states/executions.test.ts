import { ListExecutionsCommand, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let machine: string;
beforeEach(async () => {
  stack = await localStates();
  machine = await stack.machine('m', jsonata({ A: { Type: 'Wait', Seconds: 10, End: true } }));
});
afterEach(() => stack.close());

test('the same name and input while it runs is the same execution', async () => {
  const first = await stack.client.send(
    new StartExecutionCommand({ stateMachineArn: machine, name: 'n', input: '{"a":1}' }),
  );
  await stack.clock.advance(1000);
  const again = await stack.client.send(
    new StartExecutionCommand({ stateMachineArn: machine, name: 'n', input: '{"a":1}' }),
  );
  expect([again.executionArn, again.startDate]).toEqual([first.executionArn, first.startDate]);
  expect(stack.events).toHaveLength(1);
});

test('twenty at once start one execution', async () => {
  const command = () =>
    stack.client.send(new StartExecutionCommand({ stateMachineArn: machine, name: 'n', input: '{}' }));
  const arns = new Set(
    (await Promise.all(Array.from({ length: 20 }, command))).map(({ executionArn }) => executionArn),
  );
  expect([arns.size, stack.events.length]).toEqual([1, 1]);
});

test('another input under the same name is refused', async () => {
  await stack.start(machine, { a: 1 }, 'n');
  await expect(stack.start(machine, { a: 2 }, 'n')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});

test('a name stays taken when its execution has ended', async () => {
  await stack.start(machine, {}, 'n');
  await stack.clock.advance(10_000);
  await expect(stack.start(machine, {}, 'n')).rejects.toMatchObject({
    name: 'ExecutionAlreadyExists',
    message: "Execution Already Exists: 'arn:aws:states:us-east-1:000000000000:execution:m:n'",
  });
});

test.each(['a b', 'a/b', 'a:b', 'a*'])('the name %j is refused', async (name) => {
  await expect(stack.start(machine, {}, name)).rejects.toMatchObject({ name: 'InvalidName' });
});

test('a name of more than 80 characters is refused', async () => {
  await expect(stack.start(machine, {}, 'x'.repeat(81))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringMatching(
      /at 'name' failed to satisfy constraint: Member must have length less than or equal to 80$/,
    ),
  });
});

test('input that is not JSON is refused', async () => {
  const command = new StartExecutionCommand({ stateMachineArn: machine, input: '{' });
  await expect(stack.client.send(command)).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
});

test('input of 256 KiB is taken, and of a byte more refused', async () => {
  const ask = (text: string) =>
    stack.client.send(new StartExecutionCommand({ stateMachineArn: machine, input: JSON.stringify(text) }));
  await ask('é'.repeat(131_071));
  await expect(ask(`${'é'.repeat(131_071)}x`)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining("Value at 'input' failed to satisfy constraint"),
  });
});

test('a machine that does not exist cannot be started', async () => {
  await expect(stack.start(`${machine}x`)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
});

test('what is no ARN is refused', async () => {
  await expect(stack.start('nonsense')).rejects.toMatchObject({ name: 'InvalidArn' });
  await expect(stack.describe('nonsense')).rejects.toMatchObject({ name: 'InvalidArn' });
});

test('an execution that does not exist cannot be described', async () => {
  const arn = 'arn:aws:states:us-east-1:000000000000:execution:m:none';
  await expect(stack.describe(arn)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
});

test('StopExecution aborts with its error and cause', async () => {
  const arn = await stack.start(machine);
  await stack.client.send(
    new StopExecutionCommand({ executionArn: arn, error: 'Cancelled', cause: 'by hand' }),
  );
  const { status, error, cause, stopDate } = await stack.describe(arn);
  expect({ status, error, cause }).toEqual({ status: 'ABORTED', error: 'Cancelled', cause: 'by hand' });
  expect(stopDate?.getTime()).toBe(stack.clock.now());
  expect((await stack.history(arn)).at(-1)?.type).toBe('ExecutionAborted');
});

test('stopping what has ended changes nothing', async () => {
  const arn = await stack.start(machine);
  await stack.clock.advance(10_000);
  await stack.client.send(new StopExecutionCommand({ executionArn: arn }));
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});

test('lists newest first, by status, in pages', async () => {
  for (const name of ['a', 'b', 'c']) await stack.start(machine, {}, name);
  await stack.client.send(
    new StopExecutionCommand({ executionArn: machine.replace(':stateMachine:', ':execution:') + ':b' }),
  );
  const list = (extra: object) =>
    stack.client.send(new ListExecutionsCommand({ stateMachineArn: machine, ...extra }));
  const names = async (extra: object) => (await list(extra)).executions?.map(({ name }) => name);
  expect(await names({})).toEqual(['c', 'b', 'a']);
  expect(await names({ statusFilter: 'RUNNING' })).toEqual(['c', 'a']);
  expect(await names({ statusFilter: 'ABORTED' })).toEqual(['b']);
  const { nextToken } = await list({ maxResults: 2 });
  expect(await names({ maxResults: 2, nextToken })).toEqual(['a']);
});
