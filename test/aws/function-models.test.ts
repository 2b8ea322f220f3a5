import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { functionModels } from '../../src/aws/calls/function-models.ts';
import { toAnswerText } from '../../src/text/answer-text.ts';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

const MODEL = { sha256: 'ab', imageUri: 'image', environment: { A: 'b' } };

/** Lambda that answers as a test says, and the client under test. */
async function lambda(
  listener: (response: ServerResponse, request: IncomingMessage, payload: any) => void,
  withinMs = 600_000,
) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => listener(response, request, JSON.parse(Buffer.concat(chunks).toString())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const models = functionModels({
    base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    region: 'us-east-1',
    credentials: () => ({ accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: undefined }),
    pause: async () => undefined,
    functionName: 'inferdrop-dev-serve-model',
    withinMs,
  });
  return models.answer('cats', MODEL, {
    contentType: 'image/png',
    accept: 'application/json',
    body: Buffer.from('png'),
  });
}
const answer = (response: ServerResponse, status: number, text: string) =>
  response.end(JSON.stringify({ status, body: Buffer.from(text).toString('base64') }));
const fail = (response: ServerResponse, errorType: string, errorMessage = 'said') => {
  response.setHeader('x-amz-function-error', 'Unhandled');
  response.end(JSON.stringify({ errorType, errorMessage }));
};

it('a function is sent the model and the input, and its answer is read', async () => {
  const seen: unknown[] = [];
  const bytes = await lambda((response, { method, url, headers }, payload) => {
    seen.push(method, url, headers.authorization?.includes('/us-east-1/lambda/aws4_request'), payload);
    answer(response, 200, '{"predictions":[]}');
  });
  expect(Buffer.from(bytes).toString()).toBe('{"predictions":[]}');
  const body = Buffer.from('png').toString('base64');
  expect(seen).toEqual([
    'POST',
    '/2015-03-31/functions/inferdrop-dev-serve-model/invocations',
    true,
    { pipeline: 'cats', model: MODEL, contentType: 'image/png', accept: 'application/json', body },
  ]);
});

it.each<[string, (response: ServerResponse) => unknown, object]>([
  [
    'a refusal of the model',
    (response) => answer(response, 415, 'no such type'),
    { name: 'ModelError', message: 'the container answered 415: no such type' },
  ],
  [
    'a long refusal, which is cut once',
    (response) => answer(response, 400, toAnswerText('x'.repeat(9000))),
    { message: expect.stringMatching(/^the container answered 400: x+… \(cut, 9000 characters in all\)$/) },
  ],
  ['a model that cannot be opened', (response) => fail(response, 'ModelRefused'), { name: 'ModelError' }],
  ['a function that dies', (response) => fail(response, 'Runtime.ExitError'), { name: 'ModelError' }],
  [
    'a function that dies of memory',
    (response) => fail(response, 'Runtime.OutOfMemory', 'RequestId: 1 Error: Runtime exited'),
    {
      name: 'ModelError',
      message: 'the container answered an error: Runtime.OutOfMemory: RequestId: 1 Error: Runtime exited',
    },
  ],
  [
    'an error of ours',
    (response) => fail(response, 'RunFileMissing'),
    { name: 'RunFileMissing', message: 'said' },
  ],
  [
    'no free function',
    (response) =>
      response
        .writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException', 'retry-after': '1' })
        .end('{"Reason":"ConcurrentInvocationLimitExceeded","Type":"User","message":"Rate Exceeded."}'),
    { name: 'Throttled', message: 'Rate Exceeded.' },
  ],
  [
    'a page that nginx makes of an answer',
    (response) =>
      answer(response, 502, '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n'),
    { name: 'ModelError', message: 'the container answered 502: Bad Gateway' },
  ],
  [
    'a function that loads its model: the caller may ask again',
    (response) => response.end('{"isLoading":true}'),
    { name: 'ModelNotReady', message: expect.stringContaining('loads the model first') },
  ],
])('%s has its name', async (_, respond, error) => {
  await expect(lambda(respond)).rejects.toMatchObject(error);
});

it('no free function is tried three times', async () => {
  let tries = 0;
  const busy = lambda((response) => {
    tries += 1;
    response.writeHead(429, { 'x-amzn-errortype': 'TooManyRequestsException' }).end('{}');
  });
  await expect(busy).rejects.toMatchObject({ name: 'Throttled' });
  expect(tries).toBe(3);
});

it('a model that does not answer in time is late, and is not loading: the caller must not ask again', async () => {
  await expect(lambda(() => undefined, 30)).rejects.toMatchObject({ name: 'InvocationAborted' });
});
