import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';
import { manualClock } from '../support/manual-clock.ts';

const Bucket = 'data';

it('writes what the API reads, and reads what it lists', async () => {
  await using s3 = await localS3({ clock: manualClock(Date.UTC(2026, 0, 1, 12, 0, 0, 700)) });
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const stored = await s3.objects.write(Bucket, 'a/ä', Buffer.from('text'), { contentType: 'x/y' });
  const expected = {
    key: 'a/ä',
    size: 4,
    etag: '1cb251ec0d568de6a929b520c4aed8d1',
    lastModifiedMs: Date.UTC(2026, 0, 1, 12),
  };
  expect(stored).toEqual(expected);
  expect(s3.objects.head(Bucket, 'a/ä')).toEqual(expected);
  expect([...s3.objects.list(Bucket, 'a/')]).toEqual([expected]);
  expect((await s3.objects.read(Bucket, 'a/ä'))?.toString()).toBe('text');
  expect(await text((await s3.objects.readStream(Bucket, 'a/ä'))!)).toBe('text');
  const head = await s3.client.send(new HeadObjectCommand({ Bucket, Key: 'a/ä' }));
  expect(head).toMatchObject({ ContentType: 'x/y', LastModified: new Date(expected.lastModifiedMs) });
});

it('answers nothing for a key that is not there, and refuses a bucket that is not', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  expect(s3.objects.head(Bucket, 'a')).toBeUndefined();
  expect(await s3.objects.read(Bucket, 'a')).toBeUndefined();
  expect(await s3.objects.readStream(Bucket, 'a')).toBeUndefined();
  expect([s3.objects.hasBucket(Bucket), s3.objects.hasBucket('other')]).toEqual([true, false]);
  expect(() => s3.objects.head('other', 'a')).toThrow(expect.objectContaining({ code: 'NoSuchBucket' }));
});

it('lists on while keys come and go', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const key = (index: number): string => String(index).padStart(5, '0');
  for (let i = 0; i < 3000; i++) await s3.objects.write(Bucket, key(i), Buffer.alloc(0));
  const seen: string[] = [];
  for (const object of s3.objects.list(Bucket, '')) {
    seen.push(object.key);
    if (seen.length === 1500) await s3.objects.write(Bucket, `${key(2999)}-later`, Buffer.from('x'));
  }
  expect(seen).toHaveLength(3001);
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key: seen.at(-1) }));
  expect(await Body?.transformToString()).toBe('x');
});

it('takes back what it wrote, and shows what lay there before', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const read = async () => (await s3.objects.read(Bucket, 'a'))?.toString();
  const written = await s3.objects.write(Bucket, 'a', Buffer.from('unversioned'));
  await s3.objects.write(Bucket, 'a', Buffer.from('of another writer'));
  await s3.objects.remove(Bucket, written);
  expect(await read()).toBe('of another writer');
  for (const Status of ['Enabled', 'Suspended'] as const) {
    await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
    const before = await read();
    const again = await s3.objects.write(Bucket, 'b', Buffer.from('again'));
    await s3.objects.remove(Bucket, again);
    expect(s3.objects.head(Bucket, 'b')).toBeUndefined();
    const { DeleteMarkers } = await s3.client.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'b' }));
    expect([DeleteMarkers, await read()]).toEqual([undefined, before]);
  }
});

it('stores a body that comes in pieces as one that comes whole', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const piece = Buffer.alloc(200_000, 'ab');
  async function* pieces() {
    for (let i = 0; i < 5; i++) yield piece;
  }
  const whole = await s3.objects.write(
    Bucket,
    'whole',
    Buffer.concat(Array.from({ length: 5 }, () => piece)),
  );
  const parts = await s3.objects.write(Bucket, 'parts', pieces());
  expect([parts.size, parts.etag]).toEqual([whole.size, whole.etag]);
  const [one, other] = await Promise.all(['whole', 'parts'].map((key) => s3.objects.read(Bucket, key)));
  expect(other!.equals(one!)).toBe(true);
});

it('stores nothing of a body that breaks off', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  async function* torn() {
    yield Buffer.alloc(600_000);
    throw new Error('torn');
  }
  await expect(s3.objects.write(Bucket, 'torn', torn())).rejects.toThrow('torn');
  expect(s3.objects.head(Bucket, 'torn')).toBeUndefined();
  const files = await readdir(s3.dir, { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile() && /^[0-9a-f]{20}$/.test(file.name))).toEqual([]);
});
