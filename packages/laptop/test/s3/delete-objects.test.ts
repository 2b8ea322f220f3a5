import { createHash } from 'node:crypto';
import { CreateBucketCommand, DeleteObjectsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { localS3 } from '../support/local-s3.ts';
import { rawS3 } from '../support/raw-s3.ts';

const Bucket = 'data';

it('deletes keys that XML can hardly carry, and tells what it deleted', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const keys = ['a&amp;b', '<c>', ' d ', '&#65;', 'e\nf', 'ä\u{1F600}', 'absent'];
  for (const key of keys.slice(0, -1)) await s3.objects.write(Bucket, key, Buffer.from('x'));
  const Objects = keys.map((Key) => ({ Key }));
  const { Deleted } = await s3.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual(Objects);
  expect([...s3.objects.list(Bucket, '')]).toEqual([]);
});

it('tells only failures when it is asked to be quiet, and goes on after one', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const { ETag } = await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: '1' }));
  await s3.client.send(new PutObjectCommand({ Bucket, Key: 'b', Body: '2' }));
  const Objects = [
    { Key: 'b', ETag },
    { Key: 'a', ETag },
  ];
  const answer = await s3.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
  expect(answer.Deleted).toBeUndefined();
  expect(answer.Errors).toMatchObject([{ Key: 'b', Code: 'PreconditionFailed' }]);
  expect([...s3.objects.list(Bucket, '')].map(({ key }) => key)).toEqual(['b']);
});

it('takes at most 1,000 keys', async () => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const Objects = Array.from({ length: 1001 }, (_, index) => ({ Key: `${index}` }));
  await expect(
    s3.client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } })),
  ).rejects.toMatchObject({ name: 'MalformedXML' });
});

it.each([
  ['a character that there is not', '<Delete><Object><Key>&#x110000;</Key></Object></Delete>'],
  ['NUL', '<Delete><Object><Key>&#0;</Key></Object></Delete>'],
  ['half a surrogate pair', '<Delete><Object><Key>&#xD800;</Key></Object></Delete>'],
  ['an entity that has no meaning', '<Delete><Object><Key>&mine;</Key></Object></Delete>'],
  ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><Delete><Object><Key>&x;</Key></Object></Delete>'],
  ['a file as an entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><Delete/>'],
  ['an invalid document type', '<!DOCTYPE a [<!ELEMENT ><!NOTATION q>]><Delete/>'],
  ['elements below elements', `<Delete>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</Delete>`],
  ['a name of JavaScript', '<Delete><__proto__>1</__proto__></Delete>'],
  ['another name of JavaScript', '<Delete><constructor>1</constructor></Delete>'],
])('refuses a body with %s', async (_, text) => {
  await using s3 = await localS3();
  await s3.client.send(new CreateBucketCommand({ Bucket }));
  const body = Buffer.from(text);
  const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
  const answer = await rawS3(s3.endpoint, {
    method: 'POST',
    path: `/${Bucket}`,
    query: 'delete=',
    headers,
    body,
  });
  expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('<Code>MalformedXML</Code>')]);
});

describe('a body of more than a megabyte', () => {
  const post = async (query: string, method: string, text: string, path = `/${Bucket}`) => {
    await using s3 = await localS3();
    await s3.client.send(new CreateBucketCommand({ Bucket }));
    await s3.client.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'a' }));
    const body = Buffer.from(text);
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') };
    return await rawS3(s3.endpoint, { method, path, query, headers, body });
  };

  it('is read where it names a thousand keys', async () => {
    const objects = Array.from(
      { length: 1_000 },
      (_, at) => `<Object><Key>${'&quot;'.repeat(250)}${at}</Key></Object>`,
    );
    const answer = await post('delete=', 'POST', `<Delete>${objects.join('')}</Delete>`);
    expect([answer.status, answer.text.match(/<Deleted>/g)?.length]).toEqual([200, 1_000]);
  });

  it.each([
    ['DeleteObjects', 'delete=', 'Delete', '<Object><Key>a</Key></Object>'],
    [
      'CompleteMultipartUpload',
      'uploadId=x',
      'CompleteMultipartUpload',
      '<Part><PartNumber>1</PartNumber><ETag>a</ETag></Part>',
    ],
  ])('is refused unread where it lists more than %s takes', async (_, query, root, item) => {
    const path = query === 'delete=' ? `/${Bucket}` : `/${Bucket}/key`;
    const sent = async (content: string): Promise<unknown[]> => {
      const { status, text } = await post(query, 'POST', `<${root}>${content}</${root}>`, path);
      return [status, /<Code>(\w+)/.exec(text)?.[1], /(at most \d+|more than \d+ tags)/.exec(text)?.[1]];
    };
    expect(await sent(item.repeat(7_000_000 / item.length))).toEqual([
      400,
      'MalformedXML',
      'at most 2097152',
    ]);
    const tags = root === 'Delete' ? 8_010 : 160_010;
    expect(await sent('<a/>'.repeat(500_000))).toEqual([400, 'MalformedXML', `more than ${tags} tags`]);
  });

  it('is refused unread by other calls', async () => {
    const tags = `<Tagging><TagSet>${'<Tag/>'.repeat(200_000)}</TagSet></Tagging>`;
    const answer = await post('tagging=', 'PUT', tags, `/${Bucket}`);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('at most 1048576')]);
  });
});
