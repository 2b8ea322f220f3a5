import { expect, test } from 'vitest';
import {
  readDropInput,
  readSageMakerManifest,
  readWaitSettings,
  resolveDropInput,
} from '../../../src/drop/drop-input.ts';
import { aDrop } from '../../support/a-run.ts';

const PLACES = { ownBucket: 'bucket', drop: aDrop('cats/monday'), readBuckets: ['other'] };
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

test.each([
  [
    's3://bucket/state/cats/',
    'must begin with s3://bucket/incoming/cats/ or s3://bucket/shared/ or s3://other/, is s3://bucket/state/cats/: ' +
      'copy it there, or add its bucket to the stack parameter ReadBuckets',
  ],
  ['s3://bucket/shared/../state/', 'must not have a folder named . or .., is s3://bucket/shared/../state/'],
  ['s3://bucket/shared/./a/', 'must not have a folder named . or .., is s3://bucket/shared/./a/'],
  ['cats/monday', 'must be s3://<bucket>/<key>, is "cats/monday"'],
])('the refusal of %j says why', (uri, message) => {
  expect(resolve(uri)).toEqual({ file: 'job.json', field: 'input.s3Prefix', value: uri, message });
});

test('a manifest is an object; a prefix may be a whole bucket', () => {
  expect(resolve('s3://other/list.json', 'input.manifest')).toEqual({
    kind: 'manifest',
    bucket: 'other',
    key: 'list.json',
  });
  expect(resolve('s3://other', 'input.manifest')).toMatchObject({
    field: 'input.manifest',
    message: 'must name an object, is s3://other',
  });
  expect(resolve('s3://other')).toEqual({ kind: 'prefix', bucket: 'other', prefix: '' });
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
    listed: ['incoming/cats/a.png', 'incoming/cats/b/a.png'],
  });
  expect(manifest({ prefix: 's3://bucket/incoming/cats/' }, 'b', 'a', 'b')).toMatchObject({
    keys: ['incoming/cats/a', 'incoming/cats/b'],
    listed: ['incoming/cats/b', 'incoming/cats/a', 'incoming/cats/b'],
  });
  // A prefix that other pipelines share is refused as any other input.
  expect(resolve('s3://bucket/incoming/cats', 'prefix of s3://bucket/shared/m.json')).toHaveProperty(
    'message',
  );
});

const NO_MANIFEST = 'must be a JSON array of {"prefix":"s3://bucket/folder/"} and then of keys below it';

test.each<[string, unknown[], string]>([
  [
    'a way up',
    [{ prefix: 's3://bucket/incoming/cats/' }, '../dogs/a.png'],
    'must not name a key with a folder named . or .., names "../dogs/a.png"',
  ],
  [
    'a way up in the middle',
    [{ prefix: 's3://bucket/incoming/cats/' }, 'b.png', 'a/../../dogs/a.png'],
    'must not name a key with a folder named . or .., names "a/../../dogs/a.png"',
  ],
  [
    'a dot',
    [{ prefix: 's3://bucket/incoming/cats/' }, './a.png'],
    'must not name a key with a folder named . or .., names "./a.png"',
  ],
  [
    'a second prefix',
    [{ prefix: 's3://bucket/shared/' }, { prefix: 's3://bucket/incoming/dogs/' }],
    NO_MANIFEST,
  ],
  ['lines of an augmented manifest', [{ 'source-ref': 's3://bucket/incoming/dogs/a.png' }], NO_MANIFEST],
  [
    'an object among the keys',
    [{ prefix: 's3://bucket/shared/' }, { 'source-ref': 's3://bucket/state/x' }],
    NO_MANIFEST,
  ],
  ['no prefix', ['s3://bucket/incoming/dogs/a.png'], NO_MANIFEST],
  ['no key', [{ prefix: 's3://bucket/incoming/cats/' }], 'must name at least one object, names none'],
  ['an empty key', [{ prefix: 's3://bucket/incoming/cats/' }, ''], NO_MANIFEST],
  [
    'a prefix elsewhere',
    [{ prefix: 'https://a/' }, 'a'],
    'prefix must be s3://<bucket>/<prefix>, is "https://a/"',
  ],
])('a manifest with %s is refused', (_, entries, why) => {
  const uri = 's3://bucket/shared/m.json';
  expect(manifest(...entries)).toEqual({
    file: uri,
    field: 'input.manifest',
    value: uri,
    message: `${uri}: ${why}`,
  });
});

test('keys of a manifest come in byte order, each once, and text that is not JSON is refused', () => {
  expect(manifest({ prefix: 's3://bucket/p/' }, 'b', 'a', '🐈', '\uFFFD', 'a')).toMatchObject({
    keys: ['p/a', 'p/b', 'p/\uFFFD', 'p/🐈'],
  });
  expect(readSageMakerManifest('s3://bucket/m', '[')).toHaveProperty(
    'message',
    `s3://bucket/m: ${NO_MANIFEST}`,
  );
});

test('whole addresses among the keys of a manifest are keys below its prefix', () => {
  expect(manifest({ prefix: 's3://bucket/shared/' }, 's3://bucket/incoming/dogs/a.png')).toMatchObject({
    keys: ['shared/s3://bucket/incoming/dogs/a.png'],
  });
});

test.each<[unknown, ReturnType<typeof readDropInput>]>([
  [{ input: { s3Prefix: 's3://b/p/' } }, { field: 'input.s3Prefix', uri: 's3://b/p/' }],
  [{ input: { manifest: 's3://b/m' } }, { field: 'input.manifest', uri: 's3://b/m' }],
  [{ input: 's3://b/p/' }, undefined],
  [{ labels: {} }, undefined],
  [null, undefined],
])('the input that %j states', (job, input) => {
  expect(readDropInput(JSON.stringify(job))).toEqual(input);
});

test('no job.json, or one that is not JSON, states no input; U+FEFF before it does not matter', () => {
  expect([readDropInput(undefined), readDropInput('{')]).toEqual([undefined, undefined]);
  expect(readDropInput('\uFEFF{"input":{"manifest":"s3://b/m"}}')).toHaveProperty('uri', 's3://b/m');
});

test.each<[object | undefined, object | undefined, number, number]>([
  [undefined, undefined, 60, 30],
  [{ drop: { quietSeconds: 5, maxWaitMinutes: 7 } }, undefined, 5, 7],
  [undefined, { drop: { quietSeconds: 0, maxWaitMinutes: 1 } }, 0, 1],
  [{ drop: { quietSeconds: 5, maxWaitMinutes: 7 } }, { drop: { quietSeconds: 9 } }, 9, 7],
  [{ drop: { quietSeconds: 5 } }, { drop: { maxWaitMinutes: 9 } }, 5, 9],
  [{ drop: { quietSeconds: 'soon', maxWaitMinutes: 7 } }, { drop: { maxWaitMinutes: 0 } }, 60, 7],
  [{ drop: 'soon' }, { labels: {} }, 60, 30],
])(
  'waits as pipeline.json %j and job.json %j say: %d s, %d min',
  (pipeline, job, quietSeconds, maxWaitMinutes) => {
    const text = (settings: object | undefined) => settings && JSON.stringify(settings);
    expect(readWaitSettings(text(pipeline), text(job))).toEqual({ quietSeconds, maxWaitMinutes });
  },
);
