import { hash } from 'node:crypto';
import { createConnection } from 'node:net';
import { signingKey, signLines, toScopeText } from '../../../packages/laptop/gateway/signing-key.ts';
import { mutateBytes } from '../mutate.ts';
import { stackUnderFire, whyBadAnswer } from '../stack-under-fire.ts';
import type { FuzzTarget } from '../target.ts';

const HOST = 'Host: 127.0.0.1:4566';
const lines = (...text: readonly string[]): Buffer => Buffer.from(text.join('\r\n'), 'latin1');
const SEEDS = [
  lines('GET / HTTP/1.1', HOST, '', ''),
  lines('GET /bucket/key?versionId=null HTTP/1.1', HOST, 'Range: bytes=0-1', 'Connection: close', '', ''),
  lines('PUT /bucket/new HTTP/1.1', HOST, 'Content-Length: 4', 'Expect: 100-continue', '', 'body'),
  lines('PUT /bucket/new HTTP/1.1', HOST, 'Transfer-Encoding: chunked', '', '4', 'body', '0', '', ''),
  lines(
    'POST / HTTP/1.1',
    HOST,
    'X-Amz-Target: AmazonSQS.ListQueues',
    'Content-Type: application/x-amz-json-1.0',
    'Content-Length: 2',
    '',
    '{}',
  ),
  lines(
    'POST / HTTP/1.1',
    HOST,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 41',
    '',
    'Action=GetCallerIdentity&Version=2011-06-15',
  ),
  lines(
    'GET /2015-03-31/functions/f HTTP/1.1',
    HOST,
    'Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, ' +
      `SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
    'X-Amz-Date: 20260101T000000Z',
    '',
    '',
  ),
  lines(
    'GET ' +
      `/bucket/key?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=test%2F20260101%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature=${'0'.repeat(64)} ` +
      '' +
      '' +
      '' +
      '' +
      '' +
      '' +
      '' +
      '' +
      '' +
      'HTTP/1.1',
    HOST,
    '',
    '',
  ),
  lines('GET /bucket/key?AWSAccessKeyId=test&Expires=1999999999&Signature=AAAA HTTP/1.1', HOST, '', ''),
  lines(
    'PUT /bucket/new HTTP/1.1',
    HOST,
    'x-amz-content-sha256: STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-decoded-content-length: 4',
    'Content-Encoding: aws-chunked',
    'Content-Length: 95',
    '',
    `4;chunk-signature=${'0'.repeat(64)}`,
    'body',
    '0;chunk-signature=',
    '',
  ),
  lines(
    'POST /path?a=1&a=2 HTTP/1.1',
    'Host: abcdefghij.execute-api.us-east-1.localhost.localstack.cloud:4566',
    'Cookie: a=b',
    'Content-Length: 1',
    '',
    'x',
  ),
  lines(
    'GET /restapis/abcdefghij/$default/_user_request_/predict HTTP/1.1',
    HOST,
    'Authorization: Bearer a.b.c',
    '',
    '',
  ),
  lines(
    'OPTIONS /bucket HTTP/1.1',
    HOST,
    'Origin: http://evil.example',
    'Access-Control-Request-Method: PUT',
    '',
    '',
  ),
];
const WORDS = [
  '\r\n',
  '\n',
  '\r',
  ': ',
  '\0',
  ' ',
  '\t',
  '%',
  '%00',
  '%zz',
  '%c3',
  '..',
  '//',
  '?',
  '#',
  '&',
  '=',
  ';',
  ',',
  'HTTP/1.1',
  'HTTP/0.9',
  'HTTP/2.0',
  'CONNECT',
  'TRACE',
  'PROPFIND',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Content-Length: 5\r\n',
  'Upgrade: websocket\r\nConnection: upgrade\r\n',
  'Expect: 200-ok\r\n',
  'ffffffffffffffff\r\n',
  'x'.repeat(20_000),
  `X: ${'y'.repeat(9_000)}\r\n`,
  'A: b\r\n'.repeat(3_000),
  'Credential=test/20260101/us-east-1/s3/aws4_request',
  'X-Amz-Date: now\r\n',
  'SignedHeaders=',
  '\xff\xfe',
];
/** An answer that does not come, and a connection that is not closed, after the client has said all. */
const PATIENCE_MS = 20_000;

/** Raw bytes at the gateway's port: heads, framing, methods, signatures. */
export async function open(): Promise<FuzzTarget<Buffer>> {
  const fire = await stackUnderFire();
  const port = Number(new URL(fire.stack.endpoint).port);
  let sent = 0;
  return {
    name: 'gateway',
    seeds: [...SEEDS, ...SEEDS.map(signed)],
    mutate: (seed, chance) => mutateBytes(seed, chance, WORDS),
    async judge(bytes) {
      const answer = await exchange(port, bytes);
      if (answer === undefined) return `kept the connection for more than ${PATIENCE_MS} ms`;
      const bad = answersIn(answer)
        .map(([status, body]) => (status === 505 ? undefined : whyBadAnswer(status, body)))
        .find((problem) => problem !== undefined);
      if (bad !== undefined) return bad;
      if (fire.badAnswers.length > 0)
        return `an answer is not as AWS's: ${fire.badAnswers.splice(0).join('; ')}`;
      if (++sent % 50 > 0) return undefined;
      const alive = await exchange(port, lines('GET / HTTP/1.1', HOST, 'Connection: close', '', ''));
      return alive?.startsWith('HTTP/1.1 403') ? undefined : `answers no more: ${alive?.slice(0, 100)}`;
    },
    close: () => fire.close(),
  };
}

/** A request with its head signed as it stands, so that most changes behind the signature's own headers are parsed. */
function signed(request: Buffer): Buffer {
  const text = request.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...headers] = text.slice(0, end).split('\r\n');
  if (headers.some((header) => /^(authorization|x-amz-date)/i.test(header)) || first.includes('X-Amz-'))
    return request;
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = { day: timestamp.slice(0, 8), region: 'us-east-1', service: 's3' };
  const [method = '', target = ''] = first.split(' ');
  const [path = '', query = ''] = target.split('?');
  const canonical = [
    method,
    path,
    query,
    `host:${HOST.slice(6)}\nx-amz-date:${timestamp}\n`,
    'host;x-amz-date',
    'UNSIGNED-PAYLOAD',
  ];
  const signature = signLines(signingKey('test', scope), [
    'AWS4-HMAC-SHA256',
    timestamp,
    toScopeText(scope),
    hash('sha256', canonical.join('\n')),
  ]);
  const added = [
    `X-Amz-Date: ${timestamp}`,
    'X-Amz-Content-Sha256: UNSIGNED-PAYLOAD',
    `Authorization: AWS4-HMAC-SHA256 Credential=test/${toScopeText(scope)}, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  ];
  return Buffer.from([first, ...added, ...headers].join('\r\n') + text.slice(end), 'latin1');
}

/** Everything that comes back until the connection closes; undefined if it doesn't close. */
function exchange(port: number, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
    const timer = setTimeout(() => {
      resolve(undefined);
      socket.destroy();
    }, PATIENCE_MS);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
    socket.end(bytes);
  });
}

/** Status and body of each answer on a connection. */
function answersIn(text: string): readonly (readonly [number, string])[] {
  return text
    .split(/^(?=HTTP\/1\.1 \d{3} )/m)
    .filter((answer) => answer !== '')
    .map((answer) => [Number(answer.slice(9, 12)), answer.slice(answer.indexOf('\r\n\r\n') + 4)]);
}
