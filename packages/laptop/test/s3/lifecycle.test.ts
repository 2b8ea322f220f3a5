import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  type LifecycleRule,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { type LocalS3, localS3 } from '../support/local-s3.ts';
import { manualClock } from '../support/manual-clock.ts';

const Bucket = 'data';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOON = Date.UTC(2026, 0, 1, 12);

type Rule = Partial<LifecycleRule>;

async function bucket({ versions = true, rules }: { versions?: boolean; rules: Rule[] }) {
  const clock = manualClock(NOON);
  const s3 = await localS3({ clock });
  const { client } = s3;
  await client.send(new CreateBucketCommand({ Bucket }));
  if (versions) {
    await client.send(
      new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }),
    );
  }
  await client.send(
    new PutBucketNotificationConfigurationCommand({
      Bucket,
      NotificationConfiguration: { EventBridgeConfiguration: {} },
    }),
  );
  const Rules = rules.map((rule): LifecycleRule => ({ Status: 'Enabled', Filter: { Prefix: '' }, ...rule }));
  await client.send(
    new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
  );
  return { s3, clock };
}

const put = ({ client }: LocalS3, Key: string, Body = Key, Tagging?: string) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...(Tagging && { Tagging }) }));

async function keys({ client }: LocalS3): Promise<(string | undefined)[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  return Contents.map(({ Key }) => Key);
}

/** `key`, `key (old)` and `key (marker)`, newest first. */
async function versions({ client }: LocalS3): Promise<string[]> {
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  return [
    ...Versions.map(({ Key, IsLatest }) => `${Key}${IsLatest ? '' : ' (old)'}`),
    ...DeleteMarkers.map(({ Key }) => `${Key} (marker)`),
  ];
}

it('expires an object at the midnight after its days, by a marker where versions are kept', async () => {
  const { s3, clock } = await bucket({ rules: [{ Filter: { Prefix: 'a/' }, Expiration: { Days: 2 } }] });
  await using _ = s3;
  await put(s3, 'a/1');
  await put(s3, 'b/1');
  // Written at noon of the 1st: two days later it is noon of the 3rd, and midnight comes then.
  await clock.advance(2 * DAY_MS + 11 * HOUR_MS);
  expect(await keys(s3)).toEqual(['a/1', 'b/1']);
  s3.events.length = 0;
  await clock.advance(HOUR_MS);
  expect(await keys(s3)).toEqual(['b/1']);
  expect(await versions(s3)).toEqual(['a/1 (old)', 'b/1', 'a/1 (marker)']);
  expect(s3.events).toMatchObject([
    {
      'detail-type': 'Object Deleted',
      detail: {
        object: { key: 'a/1' },
        reason: 'Lifecycle Expiration',
        'deletion-type': 'Delete Marker Created',
        requester: 's3.amazonaws.com',
      },
    },
  ]);
});

it('expires an object for good where versions are not kept', async () => {
  const { s3, clock } = await bucket({ versions: false, rules: [{ Expiration: { Days: 1 } }] });
  await using _ = s3;
  await put(s3, 'a');
  s3.events.length = 0;
  await clock.advance(2 * DAY_MS);
  expect(await versions(s3)).toEqual([]);
  expect(s3.events).toMatchObject([{ detail: { 'deletion-type': 'Permanently Deleted' } }]);
});

it('removes old versions by the days since another took their place, and then the marker that hides nothing', async () => {
  const { s3, clock } = await bucket({
    rules: [{ Expiration: { Days: 2 }, NoncurrentVersionExpiration: { NoncurrentDays: 3 } }],
  });
  await using _ = s3;
  await put(s3, 'a');
  await clock.advance(3 * DAY_MS);
  expect(await versions(s3)).toEqual(['a (old)', 'a (marker)']);
  await clock.advance(3 * DAY_MS);
  expect(await versions(s3)).toEqual(['a (marker)']);
  await clock.advance(DAY_MS);
  expect(await versions(s3)).toEqual([]);
});

it('keeps the newest of the old versions that a rule wants kept', async () => {
  const { s3, clock } = await bucket({
    rules: [{ NoncurrentVersionExpiration: { NoncurrentDays: 1, NewerNoncurrentVersions: 1 } }],
  });
  await using _ = s3;
  for (const body of ['1', '2', '3']) await put(s3, 'a', body);
  await clock.advance(3 * DAY_MS);
  expect(await versions(s3)).toEqual(['a', 'a (old)']);
});

it('removes markers that hide nothing where a rule says only that', async () => {
  const { s3, clock } = await bucket({ rules: [{ Expiration: { ExpiredObjectDeleteMarker: true } }] });
  await using _ = s3;
  await put(s3, 'kept');
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'gone' }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'kept' }));
  await clock.advance(DAY_MS);
  expect(await versions(s3)).toEqual(['kept (old)', 'kept (marker)']);
});

it('ends multipart uploads that were left', async () => {
  const { s3, clock } = await bucket({
    rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 } }],
  });
  await using _ = s3;
  await s3.client.send(new CreateMultipartUploadCommand({ Bucket, Key: 'a' }));
  const left = async () =>
    (await s3.client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads?.length ?? 0;
  await clock.advance(2 * DAY_MS);
  expect(await left()).toBe(1);
  await clock.advance(DAY_MS);
  expect(await left()).toBe(0);
});

it('expires from a date on', async () => {
  const { s3, clock } = await bucket({ rules: [{ Expiration: { Date: new Date('2026-01-04T00:00:00Z') } }] });
  await using _ = s3;
  await put(s3, 'a');
  await clock.advance(2 * DAY_MS);
  expect(await keys(s3)).toEqual(['a']);
  await clock.advance(DAY_MS);
  expect(await keys(s3)).toEqual([]);
});

it('looks at prefix, size and tags of a filter, and at rules that are enabled', async () => {
  const Expiration = { Days: 1 };
  const { s3, clock } = await bucket({
    rules: [
      { Filter: { And: { Prefix: 'p/', Tags: [{ Key: 'k', Value: 'v' }] } }, Expiration },
      { Filter: { ObjectSizeGreaterThan: 100 }, Expiration },
      { Filter: { Tag: { Key: 'only', Value: 'this' } }, Expiration },
      { Filter: { Prefix: 'off/' }, Status: 'Disabled', Expiration },
    ],
  });
  await using _ = s3;
  await put(s3, 'p/tagged', 'x', 'k=v');
  await put(s3, 'p/other', 'x', 'k=w');
  await put(s3, 'q/tagged', 'x', 'k=v');
  await put(s3, 'large', 'x'.repeat(101));
  await put(s3, 'just', 'x'.repeat(100));
  await put(s3, 'only', 'x', 'only=this');
  await put(s3, 'off/a');
  await clock.advance(2 * DAY_MS);
  expect(await keys(s3)).toEqual(['just', 'off/a', 'p/other', 'q/tagged']);
});

it('makes up at its start for the midnights at which it was not running', async () => {
  const { s3, clock } = await bucket({ rules: [{ Expiration: { Days: 1 } }] });
  await put(s3, 'a');
  const later = await localS3({ dir: s3.dir, clock: manualClock(clock.now() + 5 * DAY_MS) });
  await using _ = later;
  expect(await keys(later)).toEqual([]);
  await s3.gateway.close();
});
