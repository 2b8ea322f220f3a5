import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

async function versioned(): Promise<LocalS3> {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await setVersioning(s3, 'Enabled');
  return s3;
}

async function setVersioning(s3: LocalS3, Status: 'Enabled' | 'Suspended'): Promise<void> {
  await s3.client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
}

async function put(s3: LocalS3, Key: string, Body: string): Promise<string | undefined> {
  return (await s3.client.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId;
}

async function read(s3: LocalS3, Key: string, VersionId?: string): Promise<string | undefined> {
  const { Body } = await s3.client.send(
    new GetObjectCommand({ Bucket, Key, ...(VersionId ? { VersionId } : {}) }),
  );
  return Body?.transformToString();
}

it('keeps every version, also across a restart', async () => {
  const s3 = await versioned();
  const first = await put(s3, 'a', 'one');
  const second = await put(s3, 'a', 'two');
  expect(first).not.toBe(second);
  await using again = await s3.restart();
  expect(await read(again, 'a')).toBe('two');
  expect(await read(again, 'a', first)).toBe('one');
  expect(await again.client.send(new GetBucketVersioningCommand({ Bucket }))).toMatchObject({
    Status: 'Enabled',
  });
});

it('hides a deleted key behind a marker, and shows it again without the marker', async () => {
  await using s3 = await versioned();
  const first = await put(s3, 'a', 'one');
  const marker = await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  expect(marker.DeleteMarker).toBe(true);
  await expect(read(s3, 'a')).rejects.toMatchObject({ name: 'NoSuchKey' });
  expect(await read(s3, 'a', first)).toBe('one');
  expect((await s3.client.send(new ListObjectsV2Command({ Bucket }))).Contents).toBeUndefined();
  await expect(
    s3.client.send(new HeadObjectCommand({ Bucket, Key: 'a', VersionId: marker.VersionId })),
  ).rejects.toMatchObject({ $metadata: { httpStatusCode: 405 } });
  const removed = await s3.client.send(
    new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: marker.VersionId }),
  );
  expect(removed).toMatchObject({ DeleteMarker: true, VersionId: marker.VersionId });
  expect(await read(s3, 'a')).toBe('one');
});

it('removes one version for good', async () => {
  await using s3 = await versioned();
  const first = await put(s3, 'a', 'one');
  const second = await put(s3, 'a', 'two');
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: second }));
  expect(await read(s3, 'a')).toBe('one');
  await expect(read(s3, 'a', second)).rejects.toMatchObject({ name: 'NoSuchVersion' });
  await s3.client.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'a', VersionId: first }] } }),
  );
  await expect(read(s3, 'a')).rejects.toMatchObject({ name: 'NoSuchKey' });
});

it('has the one version `null` before and after versions were kept', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  expect(await put(s3, 'a', 'before')).toBeUndefined();
  await setVersioning(s3, 'Enabled');
  const kept = await put(s3, 'a', 'kept');
  expect(await read(s3, 'a', 'null')).toBe('before');
  await setVersioning(s3, 'Suspended');
  expect(await put(s3, 'a', 'after')).toBe('null');
  await using again = await s3.restart();
  expect(await read(again, 'a')).toBe('after');
  expect(await read(again, 'a', 'null')).toBe('after');
  expect(await read(again, 'a', kept)).toBe('kept');
});

it('pages versions newest first within a key', async () => {
  await using s3 = await versioned();
  const ids = [await put(s3, 'a', '1'), await put(s3, 'a', '2'), await put(s3, 'b', '3')];
  const { VersionId: marker } = await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await put(s3, 'c/1', '4');
  await put(s3, 'c/2', '5');
  const seen: string[] = [];
  let next: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } = {};
  for (;;) {
    const page = await s3.client.send(
      new ListObjectVersionsCommand({ Bucket, MaxKeys: 1, Delimiter: '/', ...next }),
    );
    for (const { VersionId, IsLatest } of page.Versions ?? []) seen.push(`${VersionId} ${IsLatest}`);
    for (const { VersionId, IsLatest } of page.DeleteMarkers ?? [])
      seen.push(`${VersionId} ${IsLatest} marker`);
    for (const { Prefix } of page.CommonPrefixes ?? []) seen.push(`${Prefix}`);
    if (!page.IsTruncated) break;
    next = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
  expect(seen).toEqual([
    `${marker} true marker`,
    `${ids[1]} false`,
    `${ids[0]} false`,
    `${ids[2]} true`,
    'c/',
  ]);
});

it('takes If-None-Match by what a reader would see', async () => {
  await using s3 = await versioned();
  await put(s3, 'a', '1');
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '2', IfNoneMatch: '*' }));
  expect(await read(s3, 'a')).toBe('2');
});
