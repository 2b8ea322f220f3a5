import { expect, test } from 'vitest';
import { createRunQueue, type Runner, type RunnerAnswer } from '../engine/run-queue.ts';
import type { NamedTensors } from '../savedmodel/servable-model.ts';

/** A runner that answers each call with what it was fed, when the test says so. */
function createRunner() {
  const messages: { readonly signature: string; readonly size: number; finish(cpuMs?: number): void }[] = [];
  const state = { ended: undefined as Error | undefined };
  const runner: Runner = {
    get ended() {
      return state.ended;
    },
    run(signature, calls) {
      const answer = Promise.withResolvers<RunnerAnswer>();
      messages.push({
        signature,
        size: calls.length,
        finish: (cpuMs) =>
          answer.resolve({ cpuMs, results: calls.map((value) => ({ status: 'fulfilled', value })) }),
      });
      return answer.promise;
    },
  };
  return { runner, messages, state };
}

const feed = (value: number): NamedTensors =>
  new Map([['x', { dtype: 'float32', shape: [1], data: Float32Array.of(value) }]]);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what waits while a fast model is busy travels together, up to eight', async () => {
  const { runner, messages } = createRunner();
  const run = createRunQueue([runner]);
  const first = run('a', feed(0));
  await turn();
  messages[0]!.finish(1);
  await first;
  const others = Array.from({ length: 12 }, (_, index) => run('a', feed(index)));
  await turn();
  expect(messages.map(({ size }) => size)).toEqual([1, 8]);
  messages[1]!.finish(8);
  await turn();
  messages[2]!.finish(4);
  expect((await Promise.all(others)).map((outputs) => outputs.get('x')!.data[0])).toEqual(
    Array.from({ length: 12 }, (_, index) => index),
  );
  expect(messages.map(({ size }) => size)).toEqual([1, 8, 4]);
});

test('a slow model takes one at a time, the next lying ready', async () => {
  const [one, two] = [createRunner(), createRunner()];
  const run = createRunQueue([one.runner, two.runner]);
  for (let call = 0; call < 6; call++) void run('a', feed(call));
  await turn();
  expect([one.messages.length, two.messages.length]).toEqual([2, 2]);
  one.messages[0]!.finish(90);
  await turn();
  expect([...one.messages, ...two.messages].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
});

test('signatures are not mixed', async () => {
  const { runner, messages } = createRunner();
  const run = createRunQueue([runner]);
  for (const signature of ['a', 'b', 'b', 'a']) void run(signature, feed(1));
  await turn();
  for (let message = 0; message < 4; message++) {
    messages[message]?.finish(1);
    await turn();
  }
  expect(messages.map(({ signature, size }) => `${signature}${size}`)).toEqual(['a1', 'b1', 'b1', 'a1']);
});

test('calls for a runner that has ended are rejected with the reason', async () => {
  const { runner, state } = createRunner();
  const run = createRunQueue([runner]);
  state.ended = new Error('the process ended');
  await expect(run('a', feed(1))).rejects.toThrow('the process ended');
});
