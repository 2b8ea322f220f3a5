import { afterEach, beforeEach, expect, test } from 'vitest';
import { invoke, jsonata, type LocalStates, localStates } from '../support/local-states.ts';

let stack: LocalStates;
beforeEach(async () => {
  stack = await localStates({
    functions: {
      hangs: () => new Promise(() => undefined),
    },
  });
});
afterEach(() => stack.close());

async function begin(states: Record<string, object>, extra: object = {}): Promise<string> {
  return stack.start(await stack.machine('m', jsonata(states, extra)));
}

test('a Task over TimeoutSeconds is States.Timeout', async () => {
  const arn = await begin({ A: invoke('hangs', { TimeoutSeconds: 30 }) });
  await stack.clock.advance(29_999);
  expect((await stack.describe(arn)).status).toBe('RUNNING');
  await stack.clock.advance(1);
  const { status, error } = await stack.describe(arn);
  expect([status, error]).toEqual(['FAILED', 'States.Timeout']);
  expect((await stack.history(arn)).map(({ type }) => type)).toContain('TaskTimedOut');
});

test('TimeoutSeconds can be an expression', async () => {
  const machine = await stack.machine(
    'm',
    jsonata({ A: invoke('hangs', { TimeoutSeconds: '{% $states.input.s %}' }) }),
  );
  const arn = await stack.start(machine, { s: 5 });
  await stack.clock.advance(5000);
  expect((await stack.describe(arn)).error).toBe('States.Timeout');
});

test('a machine over TimeoutSeconds is TIMED_OUT, and no Catch sees it', async () => {
  const task = invoke('hangs', { Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] });
  const arn = await begin({ A: task, B: { Type: 'Succeed' } }, { TimeoutSeconds: 10 });
  await stack.clock.advance(10_000);
  const { status, error } = await stack.describe(arn);
  expect([status, error]).toEqual(['TIMED_OUT', 'States.Timeout']);
  expect((await stack.history(arn)).at(-1)?.type).toBe('ExecutionTimedOut');
});

test('an answer after the time-out changes nothing', async () => {
  let answer: (value: number) => void = () => undefined;
  stack.functions['late'] = () => new Promise((resolve) => (answer = resolve));
  const arn = await begin({
    A: invoke('late', { TimeoutSeconds: 1, Catch: [{ ErrorEquals: ['States.Timeout'], Next: 'B' }] }),
    B: { Type: 'Wait', Seconds: 1, End: true },
  });
  await stack.clock.advance(1000);
  answer(1);
  await stack.clock.advance(1000);
  expect((await stack.history(arn)).map(({ type }) => type)).not.toContain('TaskSucceeded');
  expect((await stack.describe(arn)).status).toBe('SUCCEEDED');
});
