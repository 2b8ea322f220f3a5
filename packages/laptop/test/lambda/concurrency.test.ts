import { availableParallelism } from 'node:os';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';
import { until } from '../support/until.ts';

let stack: LocalMessaging;
beforeAll(async () => void (stack = await localMessaging({ maxInstances: 2 })));
afterAll(() => stack.close());

/** Answers once a file of the name in its event lies there: a gate that the test opens. */
const GATED = `
  import { existsSync } from 'node:fs';
  export const handler = async ({ gate }) => {
    process.stdout.write('begun');
    while (!existsSync(gate)) await new Promise((resolve) => setImmediate(resolve));
    return process.pid;
  };`;

async function begun(name: string, count: number): Promise<void> {
  await until(() => stack.lines(`/aws/lambda/${name}`).filter((line) => line === 'begun').length === count);
}

async function open(name: string): Promise<string> {
  const { writeFile } = await import('node:fs/promises');
  const gate = `${stack.dir}/${name}`;
  await writeFile(gate, '');
  return gate;
}

test('invocations at the same time get instances of their own up to the limit; more of them wait', async () => {
  await stack.makeFunction('gated', GATED, { Timeout: 30 });
  const gate = `${stack.dir}/gated.open`;
  const event = Buffer.from(JSON.stringify({ gate }));
  const calls = [1, 2, 3].map(() => stack.lambda.functions.invoke('gated', event));
  await begun('gated', 2);
  await open('gated.open');
  const processes = (await Promise.all(calls)).map(({ payload }) => payload.toString());
  expect(new Set(processes).size).toBe(2);
});

test('a function with the memory of several processors has no more instances than the machine keeps busy', async () => {
  const roomy = await localMessaging();
  await roomy.makeFunction('large', 'export const handler = async () => process.pid', { MemorySize: 10_240 });
  const calls = Array.from({ length: 8 }, () => roomy.lambda.functions.invoke('large', Buffer.from('{}')));
  const processes = (await Promise.all(calls)).map(({ payload }) => payload.toString());
  await roomy.close();
  expect(new Set(processes).size).toBeLessThanOrEqual(Math.max(2, availableParallelism()));
});

test('beyond the reserved concurrency Lambda throttles', async () => {
  await stack.makeFunction('reserved', GATED, { Timeout: 30, ReservedConcurrentExecutions: 1 });
  const lambda = new LambdaClient(stack.client);
  const Payload = JSON.stringify({ gate: `${stack.dir}/reserved.open` });
  const first = lambda.send(new InvokeCommand({ FunctionName: 'reserved', Payload }));
  await begun('reserved', 1);
  await expect(lambda.send(new InvokeCommand({ FunctionName: 'reserved', Payload }))).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    $metadata: { httpStatusCode: 429 },
  });
  await open('reserved.open');
  expect((await first).FunctionError).toBeUndefined();
});

test('a function with a reserved share waits for an instance of this machine within it', async () => {
  await stack.makeFunction('shared', GATED, { Timeout: 30, ReservedConcurrentExecutions: 3 });
  const event = Buffer.from(JSON.stringify({ gate: `${stack.dir}/shared.open` }));
  const calls = [1, 2, 3].map(() => stack.lambda.functions.invoke('shared', event));
  await begun('shared', 2);
  await open('shared.open');
  expect((await Promise.all(calls)).map(({ functionError }) => functionError)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
