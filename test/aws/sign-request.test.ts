import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localApi, send } from '../../packages/laptop/test/apigateway/local-api.ts';
import { localS3 } from '../../packages/laptop/test/support/local-s3.ts';
import { signRequest } from '../../src/aws/calls/sign-request.ts';
import { smallObjects } from '../../src/aws/s3/small-object.ts';

const keys = { accessKeyId: 'AKIATEST', secretAccessKey: 'test' };

it.each([
  ['a user', '/predict/a', keys],
  ['a role', '/predict/a', { ...keys, sessionToken: 'a/long+token==' }],
  ['a path with reserved characters', '/predict/a%20c%27%28d%29~%C3%A9', keys],
  ['a query in any order, with a name twice', '/predict/a?b=2&a=1&a=0&c=%2F+%20%26', keys],
])('an API that verifies signatures takes %s', async (_, path, credentials) => {
  const api = await localApi({
    credentials: { AKIATEST: 'test' },
    routes: { 'POST /predict/{pipeline}': { AuthorizationType: 'AWS_IAM' } },
  });
  try {
    const url = new URL(api.url + path);
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': 'text/csv' },
      body: Buffer.from('1'),
    } as const;
    const signer = { service: 'execute-api', region: 'us-east-1', credentials };
    const headers = { ...(await signRequest(request, signer)) };
    const sent = { method: 'POST', path: url.href.slice(api.url.length), headers };
    expect(await send(api.url, { ...sent, body: '1' })).toMatchObject({ status: 200 });
    expect(await send(api.url, { ...sent, body: '2' })).toMatchObject({ status: 403 });
  } finally {
    await api.close();
  }
});

it('S3 gives an object whose key must be encoded, and says when it is unchanged', async () => {
  await using s3 = await localS3();
  const at = { Bucket: 'data', Key: "state/a b+c'(d)*é" };
  await s3.client.send(new CreateBucketCommand({ Bucket: at.Bucket }));
  const { ETag } = await s3.client.send(new PutObjectCommand({ ...at, Body: 'text' }));
  const { accessKeyId, secretAccessKey } = await s3.client.config.credentials();
  const objects = smallObjects({
    bucket: at.Bucket,
    domain: 'data.s3.us-east-1.amazonaws.com',
    region: 'us-east-1',
    environment: {
      AWS_ENDPOINT_URL: s3.endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  });
  expect(await objects.read(at.Key)).toEqual({ text: 'text', etag: ETag });
  expect(await objects.read(at.Key, ETag)).toBe('unchanged');
});
