import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { CreateBucketCommand, PutBucketVersioningCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LocalS3, localS3 } from '../../packages/laptop/test/support/local-s3.ts';
import { objectStore } from '../../src/aws/s3/s3-object-store.ts';

const store = objectStore({ bucket: 'pictures' });
let s3: LocalS3;

beforeAll(async () => {
  s3 = await localS3();
  const { accessKeyId, secretAccessKey } = await s3.client.config.credentials();
  vi.stubEnv('AWS_ENDPOINT_URL', s3.endpoint);
  vi.stubEnv('AWS_REGION', s3.site.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  for (const Bucket of ['pictures', 'others']) await s3.client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
});

describe('objectStore', () => {
  it('knows each version of a key, and reads the one that is named', async () => {
    await s3.client.send(new CreateBucketCommand({ Bucket: 'versioned' }));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await s3.client.send(new PutBucketVersioningCommand({ Bucket: 'versioned', VersioningConfiguration }));
    const store = objectStore({ bucket: 'versioned' });
    const one = await store.write('kept & other/model', 'one');
    const two = await store.write('kept & other/model', 'two');
    await store.write('kept & other/model2', 'another key');
    await store.delete('kept & other/model');
    const versions = await store.versions('kept & other/model');
    expect(versions.map(({ versionId }) => versionId)).toEqual(
      expect.arrayContaining([one.versionId, two.versionId]),
    );
    expect(versions.map(({ isDeleted }) => isDeleted).sort()).toEqual([false, false, true]);
    expect(versions.every(({ lastModified }) => lastModified instanceof Date)).toBe(true);
    const opened = await store.open('kept & other/model', one.versionId);
    expect(await text(opened!.body)).toBe('one');
    expect(await store.open('kept & other/model')).toBeUndefined();
    expect(await store.versions('none')).toEqual([]);
  });

  it('writes and reads texts, bytes, streams and ranges', async () => {
    const written = await store.write('a/b.txt', 'héllo', { contentType: 'text/plain' });
    expect(written).toMatchObject({ key: 'a/b.txt', size: 6, etag: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await store.readText('a/b.txt')).toBe('héllo');
    expect(await store.readBytes('a/b.txt', { start: 3, end: 5 })).toEqual(new Uint8Array(Buffer.from('ll')));
    const chunks = await Array.fromAsync((await store.readStream('a/b.txt', { start: 0, end: 3 }))!);
    expect(Buffer.concat(chunks).toString()).toBe('hé');
    expect(await store.describe('a/b.txt')).toMatchObject({
      size: 6,
      etag: written.etag,
      lastModified: expect.any(Date),
    });
  });

  it('reads an empty range of what is there', async () => {
    await store.write('range.txt', 'abc');
    expect(await store.readBytes('range.txt', { start: 3, end: 3 })).toHaveLength(0);
    expect(await Array.fromAsync((await store.readStream('range.txt', { start: 3, end: 3 }))!)).toEqual([]);
  });

  it('reads a range of one version alone: another one is missing, though it be too short for the range', async () => {
    const { etag } = await store.write('pinned.txt', 'abcdef');
    const range = { start: 3, end: 6, etag };
    expect(Buffer.from((await store.readBytes('pinned.txt', range))!).toString()).toBe('def');
    await store.write('pinned.txt', 'a');
    expect(await store.readBytes('pinned.txt', range)).toBeUndefined();
    expect(await store.readStream('pinned.txt', range)).toBeUndefined();
  });

  it('answers undefined for what is not there', async () => {
    expect(await store.describe('none')).toBeUndefined();
    expect(await store.readText('none')).toBeUndefined();
    expect(await store.readBytes('none')).toBeUndefined();
    expect(await store.readStream('none')).toBeUndefined();
    expect(await store.readBytes('none', { start: 1, end: 1 })).toBeUndefined();
  });

  it('rejects with S3’s name for a bucket that is not there', async () => {
    await expect(store.in('nowhere').readText('a')).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await expect(store.in('nowhere').listPage('')).rejects.toMatchObject({ name: 'NoSuchBucket' });
  });

  it('creates a key once, for any number of callers', async () => {
    const racers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => store.createIfAbsent('once', `${at}`)),
    );
    expect(racers.filter(Boolean)).toHaveLength(1);
    expect(await store.readText('once')).toBe(String(racers.indexOf(true)));
  });

  it('replaces what was read, once, and nothing else', async () => {
    const { etag } = await store.write('read', 'before');
    const racers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => store.replace('read', `${at}`, etag)),
    );
    expect(racers.filter(Boolean)).toHaveLength(1);
    expect(await store.readText('read')).toBe(String(racers.indexOf(true)));
    await store.delete('read');
    expect(await store.replace('read', 'after', etag)).toBe(false);
  });

  it('stores streams of any length, in parts where they are long', async () => {
    const mebibyte = Buffer.alloc(2 ** 20, 7);
    const source = async function* (mebibytes: number) {
      yield 'head';
      for (let at = 0; at < mebibytes; at++) yield mebibyte;
    };
    await store.writeStream('empty', source(0));
    await store.writeStream('long', source(20), { contentType: 'application/jsonl' });
    expect(await store.readText('empty')).toBe('head');
    expect(await store.describe('long')).toMatchObject({
      size: 20 * 2 ** 20 + 4,
      etag: expect.stringMatching(/-3$/),
    });
    expect(Buffer.from((await store.readBytes('long', { start: 0, end: 6 }))!).toString('latin1')).toBe(
      'head\x07\x07',
    );
  });

  it('stores nothing of a stream that fails', async () => {
    const source = async function* () {
      for (let at = 0; at < 20; at++) yield Buffer.alloc(2 ** 20);
      throw new Error('the source is gone');
    };
    await expect(store.writeStream('half', source())).rejects.toThrow('the source is gone');
    expect(await store.describe('half')).toBeUndefined();
  });

  it('copies over what was there, once, and over nothing else', async () => {
    await store.write('new', 'meow');
    const racers = await Promise.all(Array.from({ length: 4 }, () => store.copyOver('new', 'place', null)));
    expect(racers.filter(Boolean)).toHaveLength(1);
    const { etag } = await store.write('place', 'before');
    expect(await store.copyOver('new', 'place', null)).toBe(false);
    expect(await store.copyOver('new', 'place', 'other')).toBe(false);
    expect(await store.readText('place')).toBe('before');
    expect(await store.copyOver('new', 'place', etag)).toBe(true);
    expect(await store.readText('place')).toBe('meow');
    await store.delete('place');
    expect(await store.copyOver('new', 'place', etag)).toBe(false);
    await expect(store.copyOver('none', 'place', null)).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('copies between buckets, with keys of any characters', async () => {
    const key = 'ä/b c+%?#"🐈\u2028.png';
    await store.in('others').write(key, 'meow');
    await store.copy({ bucket: 'others', key }, 'copy.png');
    expect(await store.readText('copy.png')).toBe('meow');
    await expect(store.copy({ bucket: 'others', key: 'none' }, 'copy.png')).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  it('joins objects in their order, those of 5 MiB and more without reading them', async () => {
    const large = (fill: string) => fill.repeat(5 * 2 ** 20);
    const bodies = ['a', large('b'), large('c'), 'd', '', 'e', large('f'), 'g'];
    const keys = bodies.map((_, index) => `join/${index} ü+`);
    await Promise.all(keys.map((key, index) => store.write(key, bodies[index]!)));
    await store.join(keys, 'joined', { contentType: 'text/plain' });
    expect((await store.readText('joined')) === bodies.join('')).toBe(true);
    await store.join(['join/0 ü+', 'join/3 ü+'], 'joined');
    expect(await store.readText('joined')).toBe('ad');
    await store.join([], 'joined');
    expect(await store.readText('joined')).toBe('');
    await expect(store.join(['join/0 ü+', 'none'], 'joined')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('copies only content of the ETag that is asked for, and keeps the digest of the copy', async () => {
    const { etag } = await store.write('from', 'meow');
    await store.copy({ bucket: store.bucket, key: 'from', etag }, 'to');
    expect(await store.keptSha256('to')).toBe(createHash('sha256').update('meow').digest('hex'));
    expect(await store.keptSha256('none')).toBeUndefined();
    await store.write('from', 'woof');
    await expect(store.copy({ bucket: store.bucket, key: 'from', etag }, 'to')).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
  });

  it('opens an object together with what is known of it', async () => {
    const { etag } = await store.write('opened', 'meow');
    const { body, ...info } = (await store.open('opened'))!;
    expect(info).toMatchObject({ key: 'opened', size: 4, etag });
    expect(await text(body)).toBe('meow');
    expect(await store.open('none')).toBeUndefined();
  });

  it('lists in byte order, page by page, with keys of any characters', async () => {
    const keys = ['l/a b+c.png', 'l/a\u0001b.png', 'l/d/e.png', 'l/é.png', 'l/\uFFFD.png', 'l/🐈.png'];
    for (const key of keys) await store.write(key, key);
    const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = await Array.fromAsync(store.list('l/'), ({ key }) => key);
    expect(listed).toEqual(sorted);
    const first = await store.listPage('l/', { limit: 2 });
    expect(first.objects.map(({ key }) => key)).toEqual(sorted.slice(0, 2));
    const next = await store.listPage('l/', { limit: 9, continuation: first.continuation! });
    expect(next.objects.map(({ key }) => key)).toEqual(sorted.slice(2));
    expect(next.continuation).toBeUndefined();
    expect(await Array.fromAsync(store.list('l/', { startAfter: 'l/d/e.png' }), ({ key }) => key)).toEqual(
      sorted.slice(3),
    );
  });

  it('lists folders, and files without them', async () => {
    for (const key of ['f/a', 'f/b/c', 'f/b/d', 'f/e/f/g', 'f/h']) await store.write(key, '');
    expect(await Array.fromAsync(store.listFolders('f/'))).toEqual(['f/b/', 'f/e/']);
    expect(await Array.fromAsync(store.list('f/', { shallow: true }), ({ key }) => key)).toEqual([
      'f/a',
      'f/h',
    ]);
  });

  it('deletes, and what is not there is deleted already', async () => {
    await store.write('gone', '');
    await store.delete('gone');
    await store.delete('gone');
    expect(await store.describe('gone')).toBeUndefined();
  });
});
