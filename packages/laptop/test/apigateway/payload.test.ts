import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { type LocalApi, localApi } from './local-api.ts';

let api: LocalApi;
afterEach(() => api.close());

test('a function receives a request in payload format 2.0', async () => {
  api = await localApi({ routes: { 'POST /predict/{pipeline}': {} } });
  await api.call({
    method: 'POST',
    path: '/predict/my%20pipeline?a=1&b=2&a=3&empty=',
    headers: { 'content-type': 'application/json', 'X-One': ['1', '2'], cookie: 'c=1; d=2' },
    body: '{"é":1}',
  });
  expect(api.events).toEqual([
    {
      version: '2.0',
      routeKey: 'POST /predict/{pipeline}',
      rawPath: '/predict/my pipeline',
      rawQueryString: 'a=1&b=2&a=3&empty=',
      cookies: ['c=1', 'd=2'],
      headers: expect.objectContaining({
        'content-type': 'application/json',
        'x-one': '1,2',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
      }),
      queryStringParameters: { a: '1,3', b: '2', empty: '' },
      requestContext: {
        accountId: '000000000000',
        apiId: api.ApiId,
        domainName: `${api.ApiId}.execute-api.us-east-1.amazonaws.com`,
        domainPrefix: api.ApiId,
        http: {
          method: 'POST',
          path: '/predict/my pipeline',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: '',
        },
        requestId: expect.any(String),
        routeKey: 'POST /predict/{pipeline}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: api.clock.now(),
      },
      pathParameters: { pipeline: 'my pipeline' },
      body: '{"é":1}',
      isBase64Encoded: false,
    },
  ]);
  expect(api.events[0].headers.cookie).toBeUndefined();
});

test.each([
  ['text/csv', false],
  ['application/json; charset=utf-8', false],
  ['application/problem+json', false],
  ['image/png', true],
  ['application/x-image', true],
  ['application/jsonlines', true],
  ['multipart/form-data; boundary=x', true],
  ['application/x-www-form-urlencoded', true],
])('a body of %s is Base64: %s', async (type, isBase64Encoded) => {
  api = await localApi();
  await api.call({ method: 'POST', headers: { 'content-type': type }, body: 'abc' });
  expect(api.events[0]).toMatchObject({
    isBase64Encoded,
    body: isBase64Encoded ? Buffer.from('abc').toString('base64') : 'abc',
  });
});

test('a request without body, query or cookies has no such members', async () => {
  api = await localApi();
  await api.call();
  expect(Object.keys(api.events[0]).sort()).toEqual([
    'headers',
    'isBase64Encoded',
    'rawPath',
    'rawQueryString',
    'requestContext',
    'routeKey',
    'version',
  ]);
});

test('an answer with a status is taken as it is', async () => {
  api = await localApi({
    answer: () => ({
      statusCode: 201,
      headers: { 'X-Made': 'yes', 'Content-Length': '999' },
      cookies: ['a=1; Secure', 'b=2'],
      body: Buffer.from([0, 255]).toString('base64'),
      isBase64Encoded: true,
    }),
  });
  const answer = await api.call();
  expect(answer).toMatchObject({
    status: 201,
    headers: { 'x-made': 'yes', 'content-length': '2', 'set-cookie': ['a=1; Secure', 'b=2'] },
  });
  expect(answer.bytes).toEqual(Buffer.from([0, 255]));
});

test('a body without content type is plain text', async () => {
  api = await localApi({ answer: () => ({ statusCode: 200, body: 'hello' }) });
  expect(await api.call()).toMatchObject({
    text: 'hello',
    headers: { 'content-type': 'text/plain;charset=UTF-8' },
  });
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['hello', 'hello'],
  [[1], '[1]'],
])('an answer without a status, %j, is the JSON of a 200', async (result, text) => {
  api = await localApi({ answer: () => result });
  expect(await api.call()).toMatchObject({
    status: 200,
    text,
    headers: { 'content-type': 'application/json' },
  });
});

test('every answer names its request', async () => {
  api = await localApi();
  const answer = await api.call();
  expect(answer.headers['apigw-requestid']).toBe(api.events[0].requestContext.requestId);
});

test.each([{ statusCode: 'no' }, { statusCode: 200, body: { an: 'object' } }])(
  'an invalid answer, %j, is 500',
  async (result) => {
    api = await localApi({ answer: () => result });
    expect(await api.call()).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
  },
);

test('a function that fails is 500, and its error goes to the access log only', async () => {
  api = await localApi({
    stage: {
      AccessLogSettings: {
        DestinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:access:*',
        Format: '{"status":"$context.status","why":"$context.integrationErrorMessage"}',
      },
    },
    invoke: async () => ({
      payload: Buffer.from('{"errorMessage":"secret"}'),
      functionError: 'Unhandled',
      requestId: 'id',
    }),
  });
  expect(await api.call()).toMatchObject({ status: 500, text: '{"message":"Internal Server Error"}' });
  expect(api.logLines).toEqual([
    'access: {"status":"500","why":"the function failed: {\\"errorMessage\\":\\"secret\\"}"}',
  ]);
});

test('a function that takes longer than its integration may is 503', async () => {
  api = await localApi({ timeoutMs: 1000, invoke: () => new Promise(() => undefined) });
  const answer = api.call();
  let over = false;
  void answer.then(() => (over = true));
  while (!over) await api.clock.advance(100);
  expect(await answer).toMatchObject({ status: 503, text: '{"message":"Service Unavailable"}' });
});

test('a body over 10 MB is 413, and so is one over the 6 MB of a function', async () => {
  api = await localApi();
  const send = (size: number, type: string) =>
    api.call({ method: 'POST', headers: { 'content-type': type }, body: new Uint8Array(size) });
  for (const answer of [await send(10_485_761, 'image/png'), await send(4_800_000, 'image/png')]) {
    expect(answer).toMatchObject({ status: 413, text: '{"message":"Request Entity Too Large"}' });
  }
  expect((await send(4_500_000, 'image/png')).status).toBe(200);
});

test('a chunked body that grows over 10 MB is 413', async () => {
  api = await localApi();
  const piece = new Uint8Array(1_000_000);
  const body = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 12; i++) controller.enqueue(piece);
      controller.close();
    },
  });
  const answer = await fetch(api.url, { method: 'POST', body, duplex: 'half' } as RequestInit);
  expect(answer.status).toBe(413);
});

test('a body that comes drop by drop is given up', async () => {
  api = await localApi();
  const { hostname, port, pathname } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  socket.write(`POST ${pathname}/ HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 10\r\n\r\nab`);
  await until(async () => {
    await api.clock.advance(1000);
    return heard !== '';
  });
  socket.destroy();
  expect(heard).toMatch(/^HTTP\/1\.1 408 [^]*\{"message":"Request Timeout"\}$/);
  expect(api.events).toEqual([]);
});

test('requests are counted by API, and by API and stage', async () => {
  let statusCode = 200;
  api = await localApi({ answer: () => ({ statusCode }) });
  for (statusCode of [200, 404, 500]) await api.call();
  expect(api.metrics.filter((_, index) => index % 2 === 1)).toEqual(
    api.metrics.filter((_, index) => index % 2 === 0),
  );
  expect(api.metrics.filter((_, index) => index % 2 === 0)).toMatchObject([
    { Count: 1, '4xx': 0, '5xx': 0 },
    { Count: 1, '4xx': 1, '5xx': 0 },
    { Count: 1, '4xx': 0, '5xx': 1 },
  ]);
});
