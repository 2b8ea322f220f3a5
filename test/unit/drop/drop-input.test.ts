import { expect, test } from 'vitest';
import { readSageMakerManifest, resolveDropInput } from '../../../src/drop/drop-input.ts';

const PLACES = { ownBucket: 'bucket', drop: { pipeline: 'cats', drop: 'monday' }, readBuckets: ['other'] };
const resolve = (uri: string, field = 'input.s3Prefix', places = PLACES) =>
  resolveDropInput({ field, uri }, places);

test.each(['incoming/cats/', 'incoming/cats/monday/', 'incoming/cats/monday/a', 'shared/', 'shared/deep/er'])(
  'a drop may take its inputs from s3://bucket/%s',
  (prefix) => {
    expect(resolve(`s3://bucket/${prefix}`)).toEqual({ kind: 'prefix', bucket: 'bucket', prefix });
  },
);

test.each([
  's3://bucket/incoming/cats',
  's3://bucket/incoming/cats2/',
  's3://bucket/incoming/cats2/monday/',
  's3://bucket/incoming/cat',
  's3://bucket/incoming/dogs/monday/',
  's3://bucket/incoming/',
  's3://bucket/incoming',
  's3://bucket/',
  's3://bucket',
  's3://bucket//incoming/cats/',
  's3://bucket//shared/',
  's3://bucket/incoming//cats/',
  's3://bucket/incoming/cats/../dogs/',
  's3://bucket/incoming/cats/..',
  's3://bucket/incoming/cats/./../dogs/',
  's3://bucket/shared/../state/',
  's3://bucket/shared/../incoming/dogs/',
  's3://bucket/shared',
  's3://bucket/shared2/',
  's3://bucket/Shared/',
  's3://bucket/INCOMING/cats/',
  's3://bucket/incoming%2Fcats/',
  's3://bucket/incoming/cats%2F',
  's3://bucket/incoming/c%61ts/',
  's3://bucket/incoming/\u0441ats/',
  's3://bucket/incoming/cats\0/',
  's3://bucket/\tincoming/cats/',
  's3://bucket/state/cats/',
  's3://bucket/runs/cats/',
  's3://bucket/pipelines/cats/',
  's3://bucket/models/',
  's3://BUCKET/incoming/cats/',
  's3://bucket.s3.amazonaws.com/incoming/cats/',
  's3://another/incoming/cats/',
  's3://user@bucket/incoming/cats/',
  's3:///bucket/incoming/cats/',
  's3://',
  'S3://bucket/incoming/cats/',
  'https://bucket.s3.amazonaws.com/incoming/cats/',
  ' s3://bucket/incoming/cats/',
  's3://other/images/../../bucket/',
])('and not from %j', (uri) => {
  expect(resolve(uri)).toHaveProperty('message');
  expect(resolve(uri, 'input.manifest')).toHaveProperty('message');
});

test('the own bucket has its folders, also where it is among those that may be read', () => {
  const places = { ...PLACES, readBuckets: ['other', 'bucket'] };
  expect(resolve('s3://bucket/incoming/dogs/', 'input.s3Prefix', places)).toHaveProperty('message');
  expect(resolve('s3://other/', 'input.s3Prefix', places)).toMatchObject({ bucket: 'other' });
});

const manifest = (...entries: unknown[]) =>
  readSageMakerManifest('s3://bucket/shared/m.json', JSON.stringify(entries));

test('a manifest names keys below its prefix, and whole keys are the two together', () => {
  expect(manifest({ prefix: 's3://bucket/incoming/cats/' }, 'a.png', 'b/a.png')).toEqual({
    bucket: 'bucket',
    prefix: 'incoming/cats/',
    keys: ['incoming/cats/a.png', 'incoming/cats/b/a.png'],
  });
  // A prefix that other pipelines share is refused as any other input.
  expect(resolve('s3://bucket/incoming/cats', 'prefix of s3://bucket/shared/m.json')).toHaveProperty(
    'message',
  );
});

test.each<[string, unknown[]]>([
  ['a way up', [{ prefix: 's3://bucket/incoming/cats/' }, '../dogs/a.png']],
  ['a way up in the middle', [{ prefix: 's3://bucket/incoming/cats/' }, 'a/../../dogs/a.png']],
  ['a dot', [{ prefix: 's3://bucket/incoming/cats/' }, './a.png']],
  ['a second prefix', [{ prefix: 's3://bucket/shared/' }, { prefix: 's3://bucket/incoming/dogs/' }]],
  ['lines of an augmented manifest', [{ 'source-ref': 's3://bucket/incoming/dogs/a.png' }]],
  ['an object among the keys', [{ prefix: 's3://bucket/shared/' }, { 'source-ref': 's3://bucket/state/x' }]],
  ['no prefix', ['s3://bucket/incoming/dogs/a.png']],
  ['no key', [{ prefix: 's3://bucket/incoming/cats/' }]],
  ['an empty key', [{ prefix: 's3://bucket/incoming/cats/' }, '']],
])('a manifest with %s is refused', (_, entries) => {
  expect(manifest(...entries)).toHaveProperty('message');
});

test('whole addresses among the keys of a manifest are keys below its prefix', () => {
  expect(manifest({ prefix: 's3://bucket/shared/' }, 's3://bucket/incoming/dogs/a.png')).toMatchObject({
    keys: ['shared/s3://bucket/incoming/dogs/a.png'],
  });
});
