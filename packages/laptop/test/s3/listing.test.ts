import {
  CreateBucketCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';

const Bucket = 'data';

async function withKeys(keys: readonly string[]): Promise<LocalS3> {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  for (const key of keys) await s3.objects.write(Bucket, key, Buffer.from('x'));
  return s3;
}

it('orders keys by their UTF-8 bytes', async () => {
  // U+FFFD is above U+1F600 in UTF-16 code units and below it in UTF-8.
  const keys = ['\u{1F600}', '\uFFFD', 'ä', 'z', 'a/b', 'a', 'A', 'a//b', 'a b', 'a+b'];
  await using s3 = await withKeys(keys);
  const { Contents } = await s3.client.send(new ListObjectsV2Command({ Bucket }));
  const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(Contents?.map(({ Key }) => Key)).toEqual(sorted);
  expect([...s3.objects.list(Bucket, '')].map(({ key }) => key)).toEqual(sorted);
});

it('counts a common prefix as one key, on whichever page it ends', async () => {
  const keys = ['a', 'b/1', 'b/2', 'b/3/4', 'c', 'd/1', 'd/2', 'e'];
  await using s3 = await withKeys(keys);
  for (const MaxKeys of [1, 2, 3, 4, 5, 100]) {
    const found: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await s3.client.send(
        new ListObjectsV2Command({
          Bucket,
          Delimiter: '/',
          MaxKeys,
          ...(ContinuationToken ? { ContinuationToken } : {}),
        }),
      );
      const names = [
        ...(page.Contents ?? []).map(({ Key }) => Key!),
        ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix!),
      ];
      expect(page.KeyCount).toBe(names.length);
      expect(names.length).toBeLessThanOrEqual(MaxKeys);
      found.push(...names);
      ContinuationToken = page.NextContinuationToken;
      expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
    } while (ContinuationToken);
    expect(found.sort()).toEqual(['a', 'b/', 'c', 'd/', 'e']);
  }
});

it('lists below a prefix, after a key, and with a delimiter of several characters', async () => {
  await using s3 = await withKeys(['p/a--x', 'p/a--y', 'p/b', 'p/c', 'q']);
  const list = async (more: object): Promise<(string | undefined)[]> => {
    const page = await s3.client.send(new ListObjectsV2Command({ Bucket, ...more }));
    return [
      ...(page.Contents ?? []).map(({ Key }) => Key),
      ...(page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix),
    ];
  };
  expect(await list({ Prefix: 'p/' })).toEqual(['p/a--x', 'p/a--y', 'p/b', 'p/c']);
  expect(await list({ Prefix: 'p/', StartAfter: 'p/b' })).toEqual(['p/c']);
  expect(await list({ Prefix: 'p/', StartAfter: 'zzz' })).toEqual([]);
  expect(await list({ Prefix: 'p/', Delimiter: '--' })).toEqual(['p/b', 'p/c', 'p/a--']);
  expect(await list({ MaxKeys: 0 })).toEqual([]);
});

it('carries keys that XML cannot, encoded or as references', async () => {
  const keys = ['a&b<c>"\'', 'a\u0001b', 'a\rb\nc\td', ' lead and trail ', '100%', 'a+b c', 'x'.repeat(1024)];
  await using s3 = await withKeys(keys);
  const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const url = await s3.client.send(new ListObjectsV2Command({ Bucket, EncodingType: 'url' }));
  expect(url.Contents?.map(({ Key }) => decodeURIComponent(Key!))).toEqual(sorted);
  const plain = await s3.client.send(new ListObjectsV2Command({ Bucket }));
  expect(plain.Contents?.map(({ Key }) => Key)).toEqual(sorted);
});

it('pages the first version of listing by marker', async () => {
  await using s3 = await withKeys(['a', 'b/1', 'b/2', 'c']);
  const first = await s3.client.send(new ListObjectsCommand({ Bucket, Delimiter: '/', MaxKeys: 2 }));
  expect(first).toMatchObject({ IsTruncated: true, NextMarker: 'b/', Contents: [{ Key: 'a' }] });
  const second = await s3.client.send(
    new ListObjectsCommand({ Bucket, Delimiter: '/', Marker: first.NextMarker }),
  );
  expect(second).toMatchObject({ IsTruncated: false, Contents: [{ Key: 'c' }] });
  expect(second.CommonPrefixes).toBeUndefined();
});

it('pages 20,000 keys, each once', async () => {
  const keys = Array.from(
    { length: 20_000 },
    (_, index) => `k/${((index * 7919) % 20_000).toString().padStart(6, '0')}`,
  );
  await using s3 = await withKeys(keys);
  const found: string[] = [];
  for await (const page of paginateListObjectsV2({ client: s3.client }, { Bucket, Prefix: 'k/' })) {
    found.push(...(page.Contents ?? []).map(({ Key }) => Key!));
  }
  expect(found).toEqual(keys.toSorted());
});

it('refuses a token that it did not give', async () => {
  await using s3 = await withKeys(['a']);
  await expect(
    s3.client.send(new ListObjectsV2Command({ Bucket, ContinuationToken: '???' })),
  ).rejects.toMatchObject({ name: 'InvalidArgument' });
});
