import { StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FunctionError, invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
let attempts: number[];
let error: string;

beforeEach(async () => {
  attempts = [];
  error = 'Busy';
  stack = await localStates({
    chance: { random: () => 0.5, uuid: () => crypto.randomUUID() },
    functions: {
      fails: () => {
        attempts.push((stack.clock.now() - Date.UTC(2026, 0, 1)) / 1000);
        throw new FunctionError(error);
      },
    },
  });
});
afterEach(() => stack.close());

async function run(
  retry: object[],
  extra: object = {},
): Promise<Awaited<ReturnType<LocalStates['describe']>>> {
  const machine = await stack.machine('m', jsonata({ A: invoke('fails', { Retry: retry, ...extra }) }));
  const arn = await stack.start(machine);
  await stack.clock.advance(100_000_000);
  return stack.describe(arn);
}

test('waits grow by BackoffRate up to MaxDelaySeconds', async () => {
  await run([
    { ErrorEquals: ['Busy'], IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 10, MaxAttempts: 4 },
  ]);
  expect(attempts).toEqual([0, 2, 8, 18, 28]);
});

test('three retries a second apart, doubled, by default', async () => {
  await run([{ ErrorEquals: ['States.ALL'] }]);
  expect(attempts).toEqual([0, 1, 3, 7]);
});

test('FULL jitter draws from the whole delay', async () => {
  await run([
    { ErrorEquals: ['Busy'], IntervalSeconds: 10, BackoffRate: 1, MaxAttempts: 2, JitterStrategy: 'FULL' },
  ]);
  expect(attempts).toEqual([0, 5, 10]);
});

test('the first retrier that matches decides, even with MaxAttempts 0', async () => {
  await run([{ ErrorEquals: ['Busy'], MaxAttempts: 0 }, { ErrorEquals: ['States.ALL'] }]);
  expect(attempts).toEqual([0]);
});

test('each retrier counts its own attempts', async () => {
  stack.functions['fails'] = () => {
    attempts.push(attempts.length);
    throw new FunctionError(attempts.length % 2 ? 'Odd' : 'Even');
  };
  const { error } = await run([
    { ErrorEquals: ['Odd'], MaxAttempts: 2 },
    { ErrorEquals: ['Even'], MaxAttempts: 1 },
  ]);
  // Odd, Even, Odd, Even: the second Even has no retry left.
  expect([attempts.length, error]).toEqual([4, 'Even']);
});

test('a retry that is used up leaves the failure to Catch', async () => {
  const machine = await stack.machine(
    'caught',
    jsonata({
      A: invoke('fails', {
        Retry: [{ ErrorEquals: ['Busy'], MaxAttempts: 1 }],
        Catch: [{ ErrorEquals: ['Busy'], Next: 'B', Output: '{% $states.errorOutput.Error %}' }],
      }),
      B: { Type: 'Succeed' },
    }),
  );
  const arn = await stack.start(machine);
  await stack.clock.advance(1000);
  expect([attempts.length, (await stack.describe(arn)).output]).toEqual([2, '"Busy"']);
});

test('arguments see the number of the retry', async () => {
  const seen: number[] = [];
  stack.functions['fails'] = (count: number) => {
    seen.push(count);
    throw new FunctionError('Busy');
  };
  await run([{ ErrorEquals: ['Busy'], MaxAttempts: 2 }], {
    Arguments: { FunctionName: 'fails', Payload: '{% $states.context.State.RetryCount %}' },
  });
  expect(seen).toEqual([0, 1, 2]);
});

test('stopping an execution ends the wait between attempts', async () => {
  const retry = [{ ErrorEquals: ['Busy'], IntervalSeconds: 60 }];
  const arn = await stack.start(await stack.machine('m', jsonata({ A: invoke('fails', { Retry: retry }) })));
  await stack.client.send(new StopExecutionCommand({ executionArn: arn }));
  await stack.clock.advance(60_000);
  expect([attempts.length, (await stack.describe(arn)).status]).toEqual([1, 'ABORTED']);
});
