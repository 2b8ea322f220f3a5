import { createHmac } from 'node:crypto';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, it } from 'vitest';
import { hashCanonicalRequest } from '../../gateway/canonical-request.ts';
import { signingKey, signLines, toScopeText } from '../../gateway/signing-key.ts';
import { localS3 } from '../support/local-s3.ts';

const at = { Bucket: 'data', Key: 'ä b/c+d.txt' };

it('lets anyone with the address read the object, until it expires', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const url = await getSignedUrl(s3.client, new GetObjectCommand({ ...at, ResponseContentType: 'x/y' }), {
    expiresIn: 3600,
  });
  const answer = await fetch(url);
  expect(await answer.text()).toBe('text');
  expect(answer.headers.get('content-type')).toBe('x/y');
  const longAgo = await getSignedUrl(s3.client, new GetObjectCommand(at), {
    expiresIn: 60,
    signingDate: new Date(Date.now() - 61_000),
  });
  const late = await fetch(longAgo);
  expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('Request has expired')]);
});

it('refuses headers of an answer that no header can say', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  for (const ResponseContentType of ['text/\u20ac', 'text/a\nb'])
    await expect(s3.client.send(new GetObjectCommand({ ...at, ResponseContentType }))).rejects.toMatchObject({
      name: 'InvalidArgument',
      ArgumentName: 'response-content-type',
    });
});

it.each(['x-amz-copy-source', 'x-amz-tagging', 'x-amz-storage-class', 'x-amz-meta-a', 'x-amz-acl'])(
  'refuses %s that the holder of an address adds to it',
  async (header) => {
    await using s3 = await localS3();
    await s3.client.send(new CreateBucketCommand(at));
    await s3.client.send(new PutObjectCommand({ Bucket: 'data', Key: 'secret', Body: 'secret' }));
    const url = await getSignedUrl(s3.client, new PutObjectCommand(at), { expiresIn: 60 });
    const refused = await fetch(url, { method: 'PUT', headers: { [header]: '/data/secret' } });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('There were headers present in the request which were not signed');
    await expect(s3.client.send(new HeadObjectCommand(at))).rejects.toMatchObject({ name: 'NotFound' });
  },
);

it('lets anyone with the address write the object, as it was described when it was signed', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const command = new PutObjectCommand({ ...at, ContentType: 'a/b', Metadata: { m: '1' } });
  const url = await getSignedUrl(s3.client, command, {
    expiresIn: 60,
    signableHeaders: new Set(['content-type']),
  });
  const refused = await fetch(url, { method: 'PUT', body: 'text', headers: { 'content-type': 'c/d' } });
  expect(refused.status).toBe(403);
  const accepted = await fetch(url, { method: 'PUT', body: 'text', headers: { 'content-type': 'a/b' } });
  expect([accepted.status, await accepted.text()]).toEqual([200, '']);
  const head = await s3.client.send(new HeadObjectCommand(at));
  expect(head).toMatchObject({ ContentLength: 4, ContentType: 'a/b', Metadata: { m: '1' } });
});

it('refuses an address that was changed', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Key: 'b', Body: 'secret' }));
  const url = await getSignedUrl(s3.client, new GetObjectCommand({ ...at, Key: 'a' }), { expiresIn: 60 });
  for (const changed of [url.replace('/data/a?', '/data/b?'), url.replace('Expires=60', 'Expires=6000')]) {
    const answer = await fetch(changed);
    expect([answer.status, await answer.text()]).toEqual([
      403,
      expect.stringContaining('SignatureDoesNotMatch'),
    ]);
  }
  const byOther = await fetch(url, { method: 'DELETE' });
  expect(byOther.status).toBe(403);
});

it('refuses an address whose signature leaves out the host, since it would be good for any', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = { day: timestamp.slice(0, 8), region: 'us-east-1', service: 's3' };
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `test/${toScopeText(scope)}`,
    'X-Amz-Date': timestamp,
    'X-Amz-Expires': '60',
    'X-Amz-SignedHeaders': 'x-mine',
  });
  const headers = { 'x-mine': '1' };
  const path = `/${at.Bucket}/${encodeURI(at.Key).replace('+', '%2B')}`;
  const signed = { method: 'GET', path, rawQuery: String(query), headers, signedHeaders: ['x-mine'] };
  const hash = hashCanonicalRequest({ ...signed, payloadHash: 'UNSIGNED-PAYLOAD' }, 's3');
  const lines = ['AWS4-HMAC-SHA256', timestamp, toScopeText(scope), hash];
  query.set('X-Amz-Signature', signLines(signingKey('test', scope), lines));
  const answer = await fetch(`${s3.endpoint}${path}?${query}`, { headers });
  expect([answer.status, await answer.text()]).toEqual([
    400,
    expect.stringContaining('SignedHeaders is x-mine'),
  ]);
});

it('takes an upload whose address boto3 has presigned with Version 2, the signed header repeated in it', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const { protocol, hostname, port, path } = await s3.client.config.endpoint!();
  const expires = Math.floor(Date.now() / 1000) + 3600;
  const signature = createHmac('sha1', 'test').update(`PUT\n\na/b\n${expires}\n/data/c`).digest('base64');
  const query = new URLSearchParams({
    AWSAccessKeyId: 'test',
    Signature: signature,
    Expires: String(expires),
    'content-type': 'a/b',
  });
  const url = `${protocol}//${hostname}:${port}${path}data/c?${query}`;
  const answer = await fetch(url, { method: 'PUT', body: 'text', headers: { 'content-type': 'a/b' } });
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  expect(await s3.client.send(new HeadObjectCommand({ ...at, Key: 'c' }))).toMatchObject({
    ContentType: 'a/b',
  });
});

it('keeps a browser from running what was stored: a page is in a sandbox, and nothing else becomes one', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand(at));
  const open = async (ContentType: string, ResponseContentType?: string) => {
    await s3.client.send(new PutObjectCommand({ ...at, Body: '<script>1</script>', ContentType }));
    const command = new GetObjectCommand({ ...at, ...(ResponseContentType && { ResponseContentType }) });
    const { headers } = await fetch(await getSignedUrl(s3.client, command));
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    return [headers.get('content-security-policy'), headers.get('content-disposition')];
  };
  expect(await open('text/html')).toEqual(['sandbox allow-scripts allow-popups allow-downloads', null]);
  expect(await open('application/json')).toEqual(['sandbox', null]);
  expect(await open('application/json', 'text/html')).toEqual(['sandbox', 'attachment']);
  expect(await open('text/html', 'image/svg+xml; charset=utf-8')).toEqual(['sandbox', 'attachment']);
});
