import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runtime } from '../../src/aws/sagemaker/runtime.ts';

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

/** A SageMaker Runtime that gives the answers of a test, and the client under test. */
async function serve(listener: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => listener(request, response, Buffer.concat(chunks)));
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closes.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const pauses: number[] = [];
  const models = runtime({
    base: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    region: 'us-east-1',
    credentials: () => ({ accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'token' }),
    pause: async (ms) => void pauses.push(ms),
  });
  const invoke = (signal?: AbortSignal) =>
    models.invoke('an endpoint', {
      contentType: 'image/png',
      accept: 'application/json',
      body: Buffer.from('png'),
      ...(signal && { signal }),
    });
  return { invoke, models, pauses, sockets };
}

const refuse = (response: ServerResponse, status: number, type: string, body: object): void => {
  response.writeHead(status, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/` });
  response.end(JSON.stringify(body));
};
const answer = (response: ServerResponse): void => {
  response.setHeader('x-amzn-invoked-production-variant', 'v1');
  response.setHeader('content-type', 'application/json');
  response.end('{}');
};

it('asks as the service wants to be asked', async () => {
  const seen: unknown[] = [];
  const { invoke } = await serve(({ method, url, headers }, response, body) => {
    const { authorization = '', accept } = headers;
    seen.push([method, url, headers['content-type'], accept, headers['content-length'], body.toString()]);
    seen.push(headers['x-amz-security-token'], authorization.includes('/us-east-1/sagemaker/aws4_request'));
    answer(response);
  });
  const { body, ...rest } = await invoke();
  expect(seen).toEqual([
    ['POST', '/endpoints/an%20endpoint/invocations', 'image/png', 'application/json', '3', 'png'],
    'token',
    true,
  ]);
  expect([Buffer.from(body).toString(), rest]).toEqual([
    '{}',
    { contentType: 'application/json', variant: 'v1' },
  ]);
});

describe('what is refused has a name:', () => {
  it('the words of a container, with its status', async () => {
    const { invoke } = await serve((_, response) =>
      refuse(response, 424, 'ModelError', {
        Message: 'Received client error (415) from primary',
        OriginalStatusCode: 415,
        OriginalMessage: 'no such type',
      }),
    );
    await expect(invoke()).rejects.toMatchObject({
      name: 'ModelError',
      message: 'the container answered 415: no such type',
    });
  });

  it.each([
    [400, 'ValidationError', 'Endpoint x of account 1 not found.', 'EndpointMissing'],
    [400, 'ValidationError', '1 validation error detected', 'ValidationError'],
    [403, 'AccessDeniedException', 'is not authorized', 'AccessDenied'],
  ])('%i %s "%s" is %s', async (status, type, message, name) => {
    const { invoke, pauses } = await serve((_, response) => refuse(response, status, type, { message }));
    await expect(invoke()).rejects.toMatchObject({ name });
    expect(pauses).toEqual([]);
  });

  it('what the deadline ends', async () => {
    const { invoke } = await serve(() => ending.abort());
    const ending = new AbortController();
    await expect(invoke(ending.signal)).rejects.toMatchObject({ name: 'InvocationAborted' });
  });
});

it('names the inference component, which answers under its name, and says that it is asleep', async () => {
  const { models } = await serve(({ headers }, response) => {
    if (headers['x-amzn-sagemaker-inference-component'] === 'one') answer(response);
    else
      refuse(response, 400, 'ValidationError', {
        message:
          'Inference Component has no capacity to process this request. ApplicationAutoScaling may be …',
      });
  });
  const ask = (component: string) =>
    models.invoke('an endpoint', { contentType: 'a/b', accept: 'a/b', body: Buffer.from(''), component });
  expect(await ask('one')).toMatchObject({ variant: 'one' });
  await expect(ask('two')).rejects.toMatchObject({ name: 'EndpointAsleep' });
});

describe('what may pass is asked again:', () => {
  it.each([
    [503, 'ServiceUnavailable'],
    [500, 'InternalFailure'],
    [400, 'ThrottlingException'],
    [429, 'ModelNotReadyException'],
  ])('%i %s, twice', async (status, type) => {
    let asked = 0;
    const { invoke, pauses } = await serve((_, response) => {
      asked += 1;
      if (asked < 3) refuse(response, status, type, { message: 'later' });
      else answer(response);
    });
    await expect(invoke()).resolves.toMatchObject({ variant: 'v1' });
    expect([asked, pauses.length]).toEqual([3, 2]);
    for (const ms of pauses) expect(ms).toBeLessThanOrEqual(1_000);
  });

  it.each([
    [503, 'ServiceUnavailable', 'ServiceUnavailable'],
    [400, 'ThrottlingException', 'Throttled'],
    [429, 'ModelNotReadyException', 'ModelNotReady'],
  ])('%i %s is %s after the third time', async (status, type, name) => {
    let asked = 0;
    const { invoke } = await serve((_, response) => {
      asked += 1;
      refuse(response, status, type, { message: 'no' });
    });
    await expect(invoke()).rejects.toMatchObject({ name });
    expect(asked).toBe(3);
  });

  it('a broken connection, until it is one too many', async () => {
    const { invoke, pauses } = await serve((request) => request.socket.destroy());
    await expect(invoke()).rejects.toMatchObject({ name: 'NetworkingError' });
    expect(pauses).toHaveLength(2);
  });
});

it('replaces kept connections that the other side has closed, as those of a frozen Lambda, without counting an attempt', async () => {
  const answered = new WeakSet<Socket>();
  let asked = 0;
  const { invoke, pauses, sockets } = await serve((request, response) => {
    asked += 1;
    // Each socket answers once: a second request finds it closed.
    if (answered.has(request.socket)) request.socket.resetAndDestroy();
    else answer(response);
    answered.add(request.socket);
  });
  await invoke();
  await invoke();
  expect([asked, sockets.size, pauses.length]).toEqual([3, 2, 0]);
});
