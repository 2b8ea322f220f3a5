import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LocalMessaging, localMessaging } from '../support/local-messaging.ts';

let stack: LocalMessaging;
let lambda: LambdaClient;

beforeAll(async () => {
  stack = await localMessaging();
  lambda = new LambdaClient(stack.client);
});
afterAll(() => stack.close());

async function call(FunctionName: string, event: unknown = {}) {
  const output = await lambda.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return {
    error: output.FunctionError,
    payload: JSON.parse(Buffer.from(output.Payload!).toString()),
    output,
  };
}

test('a function gets its event and gives its answer', async () => {
  await stack.makeFunction('echo', 'export const handler = async (event) => ({ got: event })');
  expect(await call('echo', { a: [1, 'ü'] })).toMatchObject({
    error: undefined,
    payload: { got: { a: [1, 'ü'] } },
  });
});

test('a handler lies in a folder, under any export', async () => {
  const files = { 'functions/deep.mjs': 'export const go = async () => "deep"' };
  await stack.makeFunction('deep', files, { Handler: 'functions/deep.go' });
  expect((await call('deep')).payload).toBe('deep');
});

test('its environment is its own and points at the stack', async () => {
  await stack.makeFunction('env', 'export const handler = async () => process.env', {
    Environment: { Variables: { BUCKET_NAME: 'b' } },
  });
  const { payload } = await call('env');
  expect(payload).toMatchObject({
    BUCKET_NAME: 'b',
    AWS_ENDPOINT_URL: stack.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_LAMBDA_FUNCTION_NAME: 'env',
  });
  expect(payload).not.toHaveProperty('HOME');
});

test('the context names function, request, log stream and the time that is left', async () => {
  await stack.makeFunction(
    'context',
    'export const handler = async (_, context) => ({ ...context, left: context.getRemainingTimeInMillis() })',
    { Timeout: 900, MemorySize: 256 },
  );
  const { payload, output } = await call('context');
  expect(payload).toMatchObject({
    functionName: 'context',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    awsRequestId: output.$metadata.requestId,
    logGroupName: '/aws/lambda/context',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:context',
  });
  expect(payload.left).toBeGreaterThan(300_000);
  expect(payload.left).toBeLessThanOrEqual(900_000);
});

test('a thrown error comes back by name, message and trace', async () => {
  await stack.makeFunction(
    'throws',
    'class PlanRefused extends Error { name = "PlanRefused" } export const handler = async () => { throw new PlanRefused("no") }',
  );
  const { error, payload } = await call('throws');
  expect(error).toBe('Unhandled');
  expect(payload).toMatchObject({ errorType: 'PlanRefused', errorMessage: 'no' });
  expect(payload.trace[0]).toBe('PlanRefused: no');
});

test('a module that cannot be loaded fails each invocation with the reason', async () => {
  await stack.makeFunction('broken', 'import "nowhere"; export const handler = () => 1');
  expect(await call('broken')).toMatchObject({
    error: 'Unhandled',
    payload: { errorMessage: expect.stringContaining('nowhere') },
  });
  expect((await call('broken')).error).toBe('Unhandled');
});

test('a handler that is not exported is named', async () => {
  await stack.makeFunction('missing', 'export const other = 1');
  expect((await call('missing')).payload).toMatchObject({ errorType: 'Runtime.HandlerNotFound' });
});

test('a function that ends its process fails, and the next invocation gets a new instance', async () => {
  await stack.makeFunction(
    'exits',
    'export const handler = async ({ exit }) => { if (exit) process.exit(3); return "alive" }',
  );
  expect((await call('exits', { exit: true })).payload).toMatchObject({
    errorType: 'Runtime.ExitError',
    errorMessage: expect.stringMatching(/^RequestId: .* Error: Runtime exited with error: exit status 3$/),
  });
  expect((await call('exits', {})).payload).toBe('alive');
});

test('a function that outgrows its memory is killed alone', async () => {
  await stack.makeFunction(
    'greedy',
    'export const handler = async () => { const all = []; for (;;) all.push(new Array(1e4).fill(Math.random())); }',
    { Timeout: 60 },
  );
  expect((await call('greedy')).payload).toMatchObject({ errorType: 'Runtime.OutOfMemory' });
});

test('a warm instance is used again', async () => {
  await stack.makeFunction('counts', 'let n = 0; export const handler = async () => ++n');
  expect([(await call('counts')).payload, (await call('counts')).payload]).toEqual([1, 2]);
});

test('new code takes the place of warm instances', async () => {
  await stack.makeFunction('renewed', 'export const handler = async () => "old"');
  expect((await call('renewed')).payload).toBe('old');
  await stack.makeFunction('renewed', 'export const handler = async () => "new"');
  expect((await call('renewed')).payload).toBe('new');
});

test('a function that does not exist is ResourceNotFoundException', async () => {
  await expect(call('nobody')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('the end of the log comes with the answer where it is asked for', async () => {
  const code = `export const handler = async ({ lines }) => {
    for (let n = 1; n <= lines; n++) console.log('line ' + n + ' ü');
    if (lines > 2) throw new Error('too many');
  }`;
  await stack.makeFunction('chatty', code);
  const ask = async (lines: number, LogType?: 'None' | 'Tail') => {
    const Payload = JSON.stringify({ lines });
    const { LogResult, FunctionError } = await lambda.send(
      new InvokeCommand({ FunctionName: 'chatty', Payload, ...(LogType && { LogType }) }),
    );
    return { log: LogResult && Buffer.from(LogResult, 'base64'), FunctionError };
  };
  expect(await ask(1)).toEqual({});
  expect(await ask(1, 'None')).toEqual({});
  const { log: short } = await ask(2, 'Tail');
  expect(String(short)).toMatch(
    /^START RequestId: .*line 1 ü.*line 2 ü.*END RequestId: .*REPORT RequestId: /s,
  );
  const { log: long, FunctionError } = await ask(500, 'Tail');
  expect(FunctionError).toBe('Unhandled');
  expect(long).toHaveLength(4096);
  expect(String(long)).toMatch(/line 500 ü.*too many.*REPORT RequestId: [^\n]*Status: error\n$/s);
  expect(String(long)).not.toContain('line 1 ü');
});

test.each([
  [{ InvocationType: 'Later' }, 'ValidationException', "Value 'Later' at 'invocationType'"],
  [{ LogType: 'Head' }, 'ValidationException', "Value 'Head' at 'logType'"],
  [{ ClientContext: btoa('{}') }, 'InvalidParameterValueException', 'send it in the payload'],
])('an invocation with %j is refused', async (wrong, name, message) => {
  const refused = lambda.send(new InvokeCommand({ FunctionName: 'echo', ...(wrong as object) }));
  await expect(refused).rejects.toMatchObject({ name, message: expect.stringContaining(message) });
});
