import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';
import { type RawAnswer, type RawRequest, rawS3 } from '../support/raw-s3.ts';
import { until } from '../support/until.ts';

const Bucket = 'data';
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let s3: LocalS3;
beforeAll(async () => {
  s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  agent.destroy();
  await s3.close();
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const put = (key: string, more: Partial<RawRequest>): Promise<RawAnswer> =>
  rawS3(s3.endpoint, { method: 'PUT', path: `/${Bucket}/${key}`, agent, ...more });
const text = async (key: string): Promise<string | undefined> =>
  (await s3.objects.read(Bucket, key))?.toString();

function unsigned(body: string, length: number, headers: Record<string, string> = {}): Partial<RawRequest> {
  return {
    payloadHash: 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    headers: {
      'content-encoding': 'aws-chunked',
      'x-amz-decoded-content-length': String(length),
      'content-length': String(body.length),
      ...headers,
    },
    body: Buffer.from(body),
  };
}

/** A body of signed chunks, and of a signed trailer if there is one. */
function signed(
  chunks: readonly string[],
  change: (body: string) => string = (body) => body,
  trailer?: string,
): Partial<RawRequest> {
  const data = chunks.join('');
  const build: RawRequest['body'] = (sign, seed) => {
    let previous = seed;
    let body = '';
    for (const chunk of [...chunks, '']) {
      previous = sign('AWS4-HMAC-SHA256-PAYLOAD', [previous, sha256(''), sha256(chunk)]);
      body += `${chunk.length.toString(16)};chunk-signature=${previous}\r\n${chunk}${chunk === '' ? '' : '\r\n'}`;
    }
    if (trailer !== undefined) {
      const signature = sign('AWS4-HMAC-SHA256-TRAILER', [previous, sha256(`${trailer}\n`)]);
      body += `${trailer}\r\nx-amz-trailer-signature:${signature}\r\n`;
    }
    return Buffer.from(change(`${body}\r\n`));
  };
  return {
    payloadHash: `STREAMING-AWS4-HMAC-SHA256-PAYLOAD${trailer === undefined ? '' : '-TRAILER'}`,
    headers: {
      'x-amz-decoded-content-length': String(data.length),
      'transfer-encoding': 'chunked',
      ...(trailer === undefined ? {} : { 'x-amz-trailer': trailer.split(':')[0]! }),
    },
    body: build,
  };
}

it('takes chunks of any size, with their trailer', async () => {
  const body = '5\r\n12345\r\n4\r\n6789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n';
  expect(await put('a', unsigned(body, 9, { 'x-amz-trailer': 'x-amz-checksum-crc32' }))).toMatchObject({
    status: 200,
  });
  expect(await text('a')).toBe('123456789');
});

it.each([
  [
    'a trailer that was announced and does not come',
    '9\r\n123456789\r\n0\r\n\r\n',
    9,
    'MalformedTrailerError',
  ],
  ['a trailer that is wrong', '9\r\n123456780\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n', 9, 'BadDigest'],
  ['a body that ends within a chunk', '9\r\n1234', 9, 'IncompleteBody'],
  ['a body without its last chunk', '4\r\n1234\r\n', 4, 'IncompleteBody'],
  ['a chunk longer than it says', '3\r\n1234\r\n0\r\n\r\n', 4, 'IncompleteBody'],
  ['an invalid length', 'zz\r\n1234\r\n0\r\n\r\n', 4, 'InvalidChunkSizeError'],
  ['less than was announced', '4\r\n1234\r\n0\r\nx-amz-checksum-crc32:m+PcDA==\r\n\r\n', 5, 'IncompleteBody'],
])('refuses %s', async (_, body, length, code) => {
  const answer = await put('refused', unsigned(body, length, { 'x-amz-trailer': 'x-amz-checksum-crc32' }));
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(code) });
  expect(await text('refused')).toBeUndefined();
});

it('verifies the signature of each chunk and of the trailer', async () => {
  const chunks = ['x'.repeat(8192), 'y'.repeat(100)];
  expect(await put('b', signed(chunks))).toMatchObject({ status: 200 });
  expect(await text('b')).toBe(chunks.join(''));
  const changed = await put(
    'c',
    signed(chunks, (body) => body.replace('yyy', 'yyz')),
  );
  expect(changed).toMatchObject({ status: 403, text: expect.stringContaining('SignatureDoesNotMatch') });
  const trailer = 'x-amz-checksum-crc32:y/Q5Jg==';
  expect(await put('d', signed(['123456789'], undefined, trailer))).toMatchObject({ status: 200 });
  const other = await put(
    'c',
    signed(['123456789'], (body) => body.replace('y/Q5', 'z/Q5'), trailer),
  );
  expect(other.status).toBe(403);
  expect(await text('c')).toBeUndefined();
});

it('refuses a body that is not the signed one', async () => {
  const answer = await put('e', { body: Buffer.from('text'), payloadHash: sha256('other') });
  expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('XAmzContentSHA256Mismatch') });
  const unannounced = await put('e', { body: Readable.from(['text']), payloadHash: 'UNSIGNED-PAYLOAD' });
  expect(unannounced).toMatchObject({ status: 411, text: expect.stringContaining('MissingContentLength') });
});

it('answers a refusal before the body is read, and goes on with the same connection', async () => {
  const big = Buffer.alloc(3 * 1024 * 1024);
  const headers = { 'x-amz-acl': 'public-read', 'content-length': String(big.length) };
  for (let i = 0; i < 3; i++) expect(await put('f', { body: big, headers })).toMatchObject({ status: 400 });
  expect(await put('f', { body: big })).toMatchObject({ status: 200 });
});

it('keeps nothing of an upload whose client goes away', async () => {
  const before = await bodyFiles();
  const body = new Readable({ read() {} });
  const upload = put('g', {
    body,
    payloadHash: 'UNSIGNED-PAYLOAD',
    headers: { 'content-length': '9000000' },
    agent: new Agent(),
  });
  body.push(Buffer.alloc(2_000_000));
  await until(async () => (await bodyFiles()) > before);
  body.destroy(new Error('gone'));
  await expect(upload).rejects.toThrow();
  await until(async () => (await bodyFiles()) === before);
  expect(await text('g')).toBeUndefined();
});

async function bodyFiles(): Promise<number> {
  return (await readdir(join(s3.dir, 'bodies'), { recursive: true })).length;
}
