import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

let clock: ReturnType<typeof manualClock>;
let stack: LocalMessaging;
beforeEach(async () => {
  clock = manualClock();
  stack = await localMessaging({ clock });
});
afterEach(() => stack.close());

test.each([
  ['waits for ever', 'await new Promise(() => setInterval(() => 0, 1000))'],
  ['never yields', 'for (;;);'],
])('a function that %s is ended at its timeout', async (_, body) => {
  await stack.makeFunction(
    'slow',
    `export const handler = async () => { process.stdout.write('begun'); ${body} }`,
    {
      Timeout: 5,
    },
  );
  const answer = new LambdaClient(stack.client).send(new InvokeCommand({ FunctionName: 'slow' }));
  await until(() => stack.lines('/aws/lambda/slow').includes('begun'));
  await clock.advance(5000);
  const { FunctionError, Payload } = await answer;
  expect(FunctionError).toBe('Unhandled');
  expect(JSON.parse(Buffer.from(Payload!).toString())).toEqual({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringMatching(/^RequestId: [\w-]+ Error: Task timed out after 5\.00 seconds$/),
  });
});

test('an idle instance ends after its time, and the next invocation starts a new one', async () => {
  await stack.makeFunction('counts', 'let n = 0; export const handler = async () => ++n');
  const call = async () =>
    (await stack.lambda.functions.invoke('counts', Buffer.from('{}'))).payload.toString();
  expect([await call(), await call()]).toEqual(['1', '2']);
  await clock.advance(60_000);
  expect(await call()).toBe('1');
});

test('of idle instances one stays warm for a minute, the others for seconds', async () => {
  await stack.makeFunction('burst', 'export const handler = async () => process.pid');
  const call = async () =>
    (await stack.lambda.functions.invoke('burst', Buffer.from('{}'))).payload.toString();
  const before = await Promise.all([call(), call()]);
  await clock.advance(5_000);
  const after = new Set([...before, ...(await Promise.all([call(), call()]))]);
  expect([new Set(before).size, after.size]).toEqual([2, 3]);
});
