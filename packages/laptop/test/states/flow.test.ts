import { afterAll, beforeAll, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeAll(async () => {
  stack = await localStates({
    functions: {
      double: ({ n }) => ({ n: n * 2 }),
      refuse: () => {
        throw new FunctionError('PlanRefused', 'too dear');
      },
    },
  });
});
afterAll(() => stack.close());

test('a Pass hands its input on', async () => {
  const { status, output } = await stack.run(jsonata({ A: { Type: 'Pass', End: true } }), { x: 1 });
  expect(status).toBe('SUCCEEDED');
  expect(JSON.parse(output)).toEqual({ x: 1 });
});

test('a Task invokes a function and shapes its answer', async () => {
  const { output } = await stack.run(jsonata({ A: invoke('double') }), { n: 21 });
  expect(JSON.parse(output)).toEqual({ n: 42 });
});

test('variables live on, output does not', async () => {
  const { output } = await stack.run(
    jsonata({
      A: { Type: 'Pass', Assign: { kept: '{% $states.input.n + 1 %}' }, Output: { lost: true }, Next: 'B' },
      B: { Type: 'Succeed', Output: { kept: '{% $kept %}', input: '{% $states.input %}' } },
    }),
    { n: 1 },
  );
  expect(JSON.parse(output)).toEqual({ kept: 2, input: { lost: true } });
});

test('Assign sees the variables as they were', async () => {
  const { output } = await stack.run(
    jsonata({
      A: { Type: 'Pass', Assign: { a: 1, b: 2 }, Next: 'B' },
      B: { Type: 'Pass', Assign: { a: '{% $b %}', b: '{% $a %}' }, Output: '{% $a %}', Next: 'C' },
      C: { Type: 'Succeed', Output: ['{% $a %}', '{% $b %}', '{% $states.input %}'] },
    }),
  );
  expect(JSON.parse(output)).toEqual([2, 1, 1]);
});

test('a Choice takes the first rule that holds, else its default', async () => {
  const machine = await stack.machine(
    'choice',
    jsonata({
      A: {
        Type: 'Choice',
        Choices: [
          { Condition: '{% $states.input.n > 10 %}', Next: 'Big', Assign: { size: 'big' } },
          { Condition: '{% $states.input.n > 5 %}', Next: 'Big', Assign: { size: 'middling' } },
        ],
        Default: 'Small',
      },
      Big: { Type: 'Succeed', Output: '{% $size %}' },
      Small: { Type: 'Succeed', Output: 'small' },
    }),
  );
  const outputs = [];
  for (const n of [11, 6, 1])
    outputs.push(JSON.parse((await stack.describe(await stack.start(machine, { n }))).output));
  expect(outputs).toEqual(['big', 'middling', 'small']);
});

test('a Wait ends when its time has come', async () => {
  const machine = await stack.machine(
    'wait',
    jsonata({ A: { Type: 'Wait', Seconds: '{% $states.input.s %}', End: true } }),
  );
  const arn = await stack.start(machine, { s: 60 });
  await stack.clock.advance(59_999);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(1);
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});

test('a Wait ends at its Timestamp, and at once where that has passed', async () => {
  const machine = await stack.machine(
    'until',
    jsonata({ A: { Type: 'Wait', Timestamp: '{% $states.input %}', End: true } }),
  );
  const at = (ms: number): string => new Date(stack.clock.now() + ms).toISOString();
  const [past, soon] = [await stack.start(machine, at(-1)), await stack.start(machine, at(5_000))];
  const wrong = await stack.start(machine, 'tomorrow');

  expect((await stack.describe(past)).status).toBe('SUCCEEDED');
  expect(await stack.describe(wrong)).toMatchObject({
    error: 'States.QueryEvaluationError',
    cause: expect.stringContaining('must give an ISO 8601 date with time and zone, gave "tomorrow"'),
  });
  await stack.clock.advance(4_999);
  expect((await stack.describe(soon)).status).toBe('RUNNING');
  await stack.clock.advance(1);
  expect((await stack.describe(soon)).status).toBe('SUCCEEDED');
});

test('a function error fails the execution under its own name', async () => {
  const { status, error, cause } = await stack.run(jsonata({ A: invoke('refuse') }));
  expect({ status, error, cause: JSON.parse(cause) }).toEqual({
    status: 'FAILED',
    error: 'PlanRefused',
    cause: { errorType: 'PlanRefused', errorMessage: 'too dear', trace: [] },
  });
});

test('a Catch gets the error output', async () => {
  const { output } = await stack.run(
    jsonata({
      A: invoke('refuse', {
        Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B', Assign: { e: '{% $states.errorOutput.Error %}' } }],
      }),
      B: { Type: 'Succeed', Output: { e: '{% $e %}', keys: '{% $keys($states.input) %}' } },
    }),
  );
  expect(JSON.parse(output)).toEqual({ e: 'PlanRefused', keys: ['Error', 'Cause'] });
});

test('a Fail names its error by expressions', async () => {
  const { status, error, cause } = await stack.run(
    jsonata({ A: { Type: 'Fail', Error: '{% $states.input.e %}', Cause: 'because' } }),
    { e: 'Mine' },
  );
  expect([status, error, cause]).toEqual(['FAILED', 'Mine', 'because']);
});

test('a Distributed Map runs its processor in child executions', async () => {
  const map = {
    Type: 'Map',
    Items: '{% $states.input.items %}',
    ItemSelector: { n: '{% $states.context.Map.Item.Value %}' },
    ItemProcessor: {
      ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
      StartAt: 'D',
      States: { D: invoke('double') },
    },
    MaxConcurrency: 2,
    End: true,
  };
  const { output, status, error, cause } = await stack.run(jsonata({ A: map }), { items: [1, 2, 3] });
  expect({ status, error, cause }).toEqual({ status: 'SUCCEEDED' });
  expect(JSON.parse(output)).toEqual([{ n: 2 }, { n: 4 }, { n: 6 }]);
});
