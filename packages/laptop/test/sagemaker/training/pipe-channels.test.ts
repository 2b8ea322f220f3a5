import { gzipSync } from 'node:zlib';
import type { CreateTrainingJobCommandInput } from '@aws-sdk/client-sagemaker';
import { afterEach, expect, test } from 'vitest';
import { channel, localTrainings, TRAINING_IMAGE } from './local-trainings.ts';

type Channel = NonNullable<CreateTrainingJobCommandInput['InputDataConfig']>[number];

let stack: Awaited<ReturnType<typeof localTrainings>> | undefined;
afterEach(async () => stack?.close());

/** What each of two hosts reads in each of three epochs, object by object. */
async function epochsOf(objects: Readonly<Record<string, string | Buffer>>, piped: Channel) {
  const read: string[][][] = [];
  let failure: string | undefined;
  stack = await localTrainings(async ({ request }) => {
    const [{ open, inputMode } = {}] = request.channels;
    expect(inputMode).toBe('Pipe');
    try {
      for (let host = 0; host < 2; host++) {
        read[host] = [];
        for (let epoch = 0; epoch < 3; epoch++) {
          const own: string[] = [];
          for await (const object of open!(host, epoch))
            own.push(Buffer.concat(await Array.fromAsync(object)).toString());
          read[host]!.push(own);
        }
      }
    } catch (error) {
      failure = String(error);
    }
  });
  for (const [key, body] of Object.entries(objects)) stack.objects.put(key, body);
  const job = await stack.run('job', {
    AlgorithmSpecification: { TrainingImage: TRAINING_IMAGE, TrainingInputMode: 'Pipe' },
    ResourceConfig: { InstanceCount: 2, InstanceType: 'ml.c4.xlarge', VolumeSizeInGB: 30 },
    InputDataConfig: [piped],
  });
  return { read, job, failure };
}

const TEN = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`data/${n}`, `<${n}>`]));
const ALL = Object.values(TEN);

test('every host reads every object in key order, in every epoch; nothing is downloaded before', async () => {
  const { read, job } = await epochsOf(TEN, channel('train', 's3://bucket/data/'));
  expect(read).toEqual([
    [ALL, ALL, ALL],
    [ALL, ALL, ALL],
  ]);
  expect(job.SecondaryStatusTransitions?.map(({ Status }) => Status)).toEqual([
    'Starting',
    'Training',
    'Uploading',
    'Completed',
  ]);
});

test('shuffled objects come in another order in each epoch, the same for a seed', async () => {
  const shuffle = (Seed: number) => ({
    ...channel('train', 's3://bucket/data/'),
    ShuffleConfig: { Seed },
  });
  const { read } = await epochsOf(TEN, shuffle(7));
  await stack?.close();
  expect(read[0]!.map((epoch) => epoch.toSorted())).toEqual([ALL, ALL, ALL]);
  expect(new Set([ALL, ...read[0]!].map(String)).size).toBe(4);
  expect(read[1]).toEqual(read[0]);
  const again = await epochsOf(TEN, shuffle(7));
  expect(again.read).toEqual(read);
  await stack?.close();
  expect((await epochsOf(TEN, shuffle(8))).read).not.toEqual(read);
});

test('of sharded and shuffled objects each epoch has each object on exactly one host, and objects move between hosts', async () => {
  const { read } = await epochsOf(TEN, {
    ...channel('train', 's3://bucket/data/', { S3DataDistributionType: 'ShardedByS3Key' }),
    ShuffleConfig: { Seed: 7 },
  });
  for (const epoch of [0, 1, 2]) {
    expect([...read[0]![epoch]!, ...read[1]![epoch]!].sort()).toEqual(ALL);
    expect(read[0]![epoch]).toHaveLength(5);
  }
  expect(new Set(read[0]!.map((epoch) => epoch.toSorted().join())).size).toBeGreaterThan(1);
});

test('a manifest names the objects, and gzip is unpacked', async () => {
  const { read } = await epochsOf(
    {
      'in/a.gz': gzipSync('one'),
      'in/b.gz': gzipSync('two'),
      'in/c.gz': 'no gzip',
      list: JSON.stringify([{ prefix: 's3://bucket/in/' }, 'b.gz', 'a.gz']),
    },
    { ...channel('train', 's3://bucket/list', { S3DataType: 'ManifestFile' }), CompressionType: 'Gzip' },
  );
  expect(read[0]![0]).toEqual(['two', 'one']);
});

test('what is no gzip, or is gone, fails the channel with the object', async () => {
  const { failure } = await epochsOf(
    { 'in/c.gz': 'no gzip' },
    { ...channel('train', 's3://bucket/in/c'), CompressionType: 'Gzip' },
  );
  expect(failure).toContain('Unable to download object s3://bucket/in/c.gz (incorrect header check)');
});

test('of an augmented manifest each attribute is an object, lines are dealt and shuffled as one', async () => {
  const lines = Array.from({ length: 4 }, (_, n) =>
    JSON.stringify({ 'source-ref': `s3://bucket/data/${n}`, class: n, box: { left: n }, name: `n${n}` }),
  );
  const source = channel('train', 's3://bucket/list.manifest', {
    S3DataType: 'AugmentedManifestFile',
    S3DataDistributionType: 'ShardedByS3Key',
    AttributeNames: ['source-ref', 'class', 'box', 'name'],
  });
  const objects = { ...TEN, 'list.manifest': `${lines.join('\n')}\n` };
  const { read } = await epochsOf(objects, source);
  expect(read[1]![0]).toEqual(['<1>', '1', '{"left":1}', 'n1', '<3>', '3', '{"left":3}', 'n3']);
  await stack?.close();
  const shuffled = (await epochsOf(objects, { ...source, ShuffleConfig: { Seed: 2 } })).read;
  const ofEpoch = (epoch: number) => [...shuffled[0]![epoch]!, ...shuffled[1]![epoch]!];
  for (const epoch of [0, 1, 2]) {
    const classes = ofEpoch(epoch).filter((text) => /^\d$/.test(text));
    expect(classes.toSorted()).toEqual(['0', '1', '2', '3']);
    for (const n of classes) expect(ofEpoch(epoch)[ofEpoch(epoch).indexOf(`<${n}>`) + 1]).toBe(n);
  }
});

test.each([
  ['{"class": 1}', 'line 1 must have the attribute source-ref'],
  ['{"source-ref": "https://x/y"}', 'line 1: source-ref must be an S3 URI, is "https://x/y"'],
  ['\n[1]', 'line 2 must be an object of JSON, is [1]'],
  ['\n', 'the manifest must have a line of JSON, has none'],
])('an augmented manifest with %j fails the job', async (body, reason) => {
  const { job } = await epochsOf(
    { 'list.manifest': body },
    channel('train', 's3://bucket/list.manifest', {
      S3DataType: 'AugmentedManifestFile',
      AttributeNames: ['source-ref'],
    }),
  );
  expect(job.TrainingJobStatus).toBe('Failed');
  expect(job.FailureReason).toContain(
    'ClientError: Data download failed:Unable to read s3://bucket/list.manifest',
  );
  expect(job.FailureReason).toContain(reason);
});
