import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { parseAddress } from '../../s3/address.ts';
import { localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

it.each([
  'a',
  'a/b',
  'a//b',
  '/a',
  'a/',
  '//',
  '../a',
  'a b+c%20',
  'ä/\u{1F600}',
  "a'()*!~",
  'x'.repeat(1024),
  'ä'.repeat(512),
])('keeps the key %j apart from every other', async (Key) => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  for (const other of ['a', 'a/b', 'a/b/c']) await s3.objects.write(Bucket, other, Buffer.from('other'));
  await s3.client.send(new PutObjectCommand({ Bucket, Key, Body: 'mine' }));
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
  expect(await Body?.transformToString()).toBe('mine');
  expect([...s3.objects.list(Bucket, Key)].map(({ key }) => key)).toContain(Key);
});

it('finds the bucket in the path, or in a host below localhost', () => {
  const address = (host: string, path: string) => parseAddress({ path, headers: { host } });
  expect(address('127.0.0.1:4566', '/data/a/b')).toEqual({ bucket: 'data', key: 'a/b' });
  expect(address('localhost:4566', '/data')).toEqual({ bucket: 'data', key: '' });
  expect(address('data.localhost:4566', '/a/b')).toEqual({ bucket: 'data', key: 'a/b' });
  expect(address('127.0.0.1', '/')).toEqual({ bucket: '', key: '' });
});
