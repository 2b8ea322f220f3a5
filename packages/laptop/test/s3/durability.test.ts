import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createS3 } from '../../s3/service.ts';
import { localSite } from '../support/local-gateway.ts';
import { localS3 } from '../support/local-s3.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const Bucket = 'data';

const journalOf = (dir: string): string => join(dir, 'metadata', 'metadata-00000001.jsonl');

async function bodiesIn(dir: string): Promise<string[]> {
  const entries = await readdir(join(dir, 'bodies'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

it('keeps what it has answered, and cuts off a torn last line', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'one' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'torn', Body: 'two' }));
  const text = await readFile(journalOf(s3.dir), 'utf8');
  await truncate(journalOf(s3.dir), Buffer.byteLength(text) - 20);
  const again = await s3.restart();
  expect([...again.objects.list(Bucket, '')].map(({ key }) => key)).toEqual(['a']);
  await again.client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'three' }));
  await using third = await again.restart();
  expect([...third.objects.list(Bucket, '')].map(({ key }) => key)).toEqual(['a', 'b']);
});

it('says which line is damaged before the last one', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await appendFile(journalOf(s3.dir), '{"op":"put","bucket":"data"}\n');
  const open = () => createS3({ dir: s3.dir, site: localSite, bus: { put() {} }, clock: systemClock });
  expect(open).toThrow(`${journalOf(s3.dir)}:2: the line is damaged`);
});

it('deletes bodies with their last reference, and those of a process that died before it answered', async () => {
  const s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'one' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'two' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'three' }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
  await expect(
    s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x', IfNoneMatch: '*' })),
  ).rejects.toMatchObject({ name: 'PreconditionFailed' });
  expect(await bodiesIn(s3.dir)).toHaveLength(1);
  await writeFile(join(s3.dir, 'bodies', '07', 'leftover07'), 'of a killed process');
  await using again = await s3.restart();
  expect(await bodiesIn(again.dir)).toHaveLength(1);
  const { Body } = await again.client.send(new GetObjectCommand({ Bucket, Key: 'a' }));
  expect(await Body?.transformToString()).toBe('two');
});

it('rewrites its journal when most of it is history', async () => {
  const dir = temporaryFolder('local-s3-');
  const s3 = await localS3({ dir });
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  await s3.objects.write(Bucket, 'kept', Buffer.from('kept'));
  for (let i = 0; i < 21_000; i++) await s3.objects.write(Bucket, `k${i % 7}`, Buffer.alloc(0));
  expect(await readdir(join(dir, 'metadata'))).toEqual(['metadata-00000002.jsonl']);
  const lines = (await readFile(join(dir, 'metadata', 'metadata-00000002.jsonl'), 'utf8')).split('\n');
  expect(lines.length).toBeLessThan(2_000);
  await using again = await s3.restart();
  expect([...again.objects.list(Bucket, '')].map(({ key }) => key)).toEqual([
    'k0',
    'k1',
    'k2',
    'k3',
    'k4',
    'k5',
    'k6',
    'kept',
  ]);
  expect((await again.objects.read(Bucket, 'kept'))?.toString()).toBe('kept');
});

it('finishes a download whose object, made of parts, is deleted meanwhile', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const body = Buffer.alloc(21 * 1024 * 1024, 'abcdefg');
  await new Upload({ client: s3.client, params: { Bucket, Key: 'a', Body: body } }).done();
  const got = await s3.client.send(new GetObjectCommand({ Bucket, Key: 'a' }));
  await s3.client.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
  expect(await bodiesIn(s3.dir)).toHaveLength(5);
  expect(Buffer.compare(Buffer.from(await got.Body!.transformToByteArray()), body)).toBe(0);
  // The server lets go of the files in a turn of its own after the client has the last byte.
  while ((await bodiesIn(s3.dir)).length > 0) await new Promise((resolve) => setImmediate(resolve));
});
