import { IAMClient, SimulatePrincipalPolicyCommand } from '@aws-sdk/client-iam';
import { expect, it } from 'vitest';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';

let laptop: Laptop;
onSharedLaptop(async (shared) => {
  laptop = shared;
});

/** What the role that the template gives this name to is answered. */
async function decision(
  logicalId: string,
  action: string,
  resource: string,
  context: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { resources } = laptop.stack.find('inferdrop-dev');
  const role = resources.find((one) => one.logicalId === logicalId)!.made!.attributes['Arn'];
  const { EvaluationResults = [] } = await new IAMClient().send(
    new SimulatePrincipalPolicyCommand({
      PolicySourceArn: String(role),
      ActionNames: [action],
      ResourceArns: [resource],
      ContextEntries: Object.entries(context).map(([ContextKeyName, value]) => ({
        ContextKeyName,
        ContextKeyValues: [value],
        ContextKeyType: 'string' as const,
      })),
    }),
  );
  return EvaluationResults[0]?.EvalDecision;
}
const object = (key: string) => `arn:aws:s3:::${laptop.application.bucket}/${key}`;
const job = (name: string) => `arn:aws:sagemaker:us-east-1:000000000000:transform-job/${name}`;
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const APPLICATION = 'aws:ResourceTag/inferdrop:application';

it('the model role reads archives and inputs and writes predictions, and touches nothing else of the bucket', async () => {
  for (const key of [
    'models/a/model.tar.gz',
    'incoming/p/d/a.png',
    'shared/a.png',
    'runs/p/d/1/parts/1/input.manifest',
  ])
    expect([key, await decision('ModelRole', 's3:GetObject', object(key))]).toEqual([key, 'allowed']);
  expect(await decision('ModelRole', 's3:PutObject', object('runs/p/d/1/predictions/a.out'))).toBe('allowed');
  for (const key of [
    'pipelines/p/pipeline.json',
    'pipelines/p/model.tar.gz',
    'state/p/ledger.json',
    'index/p/1.json',
    'endpoints/p/served.json',
    'runs/p/d/1/plan.json',
    'runs/p/d/1/labels',
    'runs/p/d/1/report.json',
    'runs/p/d/1/predictions/a.out',
  ])
    expect([key, await decision('ModelRole', 's3:GetObject', object(key))]).toEqual([key, 'implicitDeny']);
  for (const key of [
    'incoming/p/d/a.png',
    'models/a/model.tar.gz',
    'pipelines/p/pipeline.json',
    'runs/p/d/1/plan.json',
    'runs/p/predictions/1/plan.json',
  ])
    expect([key, await decision('ModelRole', 's3:PutObject', object(key))]).toEqual([key, 'implicitDeny']);
  const bucket = `arn:aws:s3:::${laptop.application.bucket}`;
  const list = (prefix: string) => decision('ModelRole', 's3:ListBucket', bucket, { 's3:prefix': prefix });
  expect(await list('incoming/p/d/')).toBe('allowed');
  for (const prefix of ['', 'state/', 'pipelines/', 'index/p/'])
    expect([prefix, await list(prefix)]).toEqual([prefix, 'implicitDeny']);
  expect(await decision('ModelRole', 's3:ListBucket', bucket)).toBe('implicitDeny');
  expect(await decision('ModelRole', 's3:DeleteObject', object('runs/p/d/1/predictions/a.out'))).toBe(
    'implicitDeny',
  );
  const log = (group: string) =>
    `arn:aws:logs:us-east-1:000000000000:log-group:/aws/sagemaker/${group}:log-stream:a/b`;
  for (const [group, answer] of [
    ['TransformJobs', 'allowed'],
    ['Endpoints/inferdrop-dev-p', 'allowed'],
    ['Endpoints/other', 'implicitDeny'],
    ['TrainingJobs', 'implicitDeny'],
  ] as const)
    expect([group, await decision('ModelRole', 'logs:PutLogEvents', log(group))]).toEqual([group, answer]);
});

it('the role of functions that predict writes answers and progress, whatever the name of a drop', async () => {
  const put = (key: string) => decision('PredictShardRole', 's3:PutObject', object(key));
  for (const key of ['runs/p/d/1/predictions/1/0.out', 'runs/p/d/1/shards/1/0/progress.json'])
    expect([key, await put(key)]).toEqual([key, 'allowed']);
  for (const key of ['runs/p/predictions/1/plan.json', 'runs/p/shards/1/report.json', 'runs/p/d/1/plan.json'])
    expect([key, await put(key)]).toEqual([key, 'implicitDeny']);
});

it('the role of training jobs reads inputs and source, writes models and checkpoints, and touches nothing else of the bucket', async () => {
  const answers = async (action: string, keys: readonly string[]) =>
    Promise.all(keys.map(async (key) => [key, await decision('TrainingRole', action, object(key))]));
  const all = (keys: readonly string[], answer: string) => keys.map((key) => [key, answer]);
  const run = 'runs/training/p/d/000001';
  const read = [
    'training/p/d/a.png',
    'incoming/p/d/a.png',
    'shared/a.png',
    'sources/0a/sourcedir.tar.gz',
    `${run}/channels/train.manifest`,
    `${run}/checkpoints/${ID}/1`,
  ];
  const unread = [
    'pipelines/p/pipeline.json',
    'models/a/model.tar.gz',
    'state/training/p/d/pulse',
    `${run}/plan.json`,
    'runs/p/d/000001/checkpoints/1',
  ];
  const written = [`${run}/output/${ID}/job/output/model.tar.gz`, `${run}/checkpoints/${ID}/1`];
  const unwritten = [
    'training/p/d/a.png',
    'pipelines/p/model.tar.gz',
    'models/a/model.tar.gz',
    `${run}/registered.json`,
    'runs/training/p/output/000001/registered.json',
    'runs/training/p/checkpoints/000001/promotion.json',
    'runs/p/d/000001/output/a',
  ];
  expect(await answers('s3:GetObject', read)).toEqual(all(read, 'allowed'));
  expect(await answers('s3:GetObject', unread)).toEqual(all(unread, 'implicitDeny'));
  expect(await answers('s3:PutObject', written)).toEqual(all(written, 'allowed'));
  expect(await answers('s3:PutObject', unwritten)).toEqual(all(unwritten, 'implicitDeny'));
  const [model = '', checkpoint = ''] = written;
  expect(await answers('s3:DeleteObject', [model])).toEqual([[model, 'implicitDeny']]);
  expect(await answers('s3:DeleteObject', [checkpoint])).toEqual([[checkpoint, 'allowed']]);
  expect(await answers('s3:DeleteObject', unwritten)).toEqual(all(unwritten, 'implicitDeny'));
});

it('a script of one training finds no output, checkpoint or source of another, whose ids it does not know', async () => {
  const bucket = `arn:aws:s3:::${laptop.application.bucket}`;
  const list = (prefix: string) => decision('TrainingRole', 's3:ListBucket', bucket, { 's3:prefix': prefix });
  const run = 'runs/training/victim/d/000001';
  const known = [
    'training/victim/',
    `sources/${'0'.repeat(64)}/sourcedir.tar.gz`,
    `${run}/channels/train.manifest`,
    `${run}/output/${ID}/`,
    `${run}/checkpoints/${ID}`,
    `${run}/checkpoints/${ID}/`,
  ];
  const unknown = [
    '',
    'runs/',
    'runs/training/',
    'runs/training/victim/',
    `${run}/`,
    `${run}/output`,
    `${run}/output/`,
    `${run}/output/${ID.slice(0, -1)}`,
    `${run}/checkpoints/`,
    `${run}/checkpoints/3`,
    'runs/training/checkpoints/checkpoints/000001/checkpoints/',
    'sources/',
    'sources/0',
    'models/',
    'state/',
  ];
  for (const prefix of known) expect([prefix, await list(prefix)]).toEqual([prefix, 'allowed']);
  for (const prefix of unknown) expect([prefix, await list(prefix)]).toEqual([prefix, 'implicitDeny']);
  expect(await decision('TrainingRole', 's3:ListBucket', bucket)).toBe('implicitDeny');
  for (const action of ['s3:ListBucketVersions', 's3:ListBucketMultipartUploads'])
    expect(await decision('TrainingRole', action, bucket, { 's3:prefix': `${run}/` })).toBe('implicitDeny');
  for (const action of ['logs:GetLogEvents', 'logs:FilterLogEvents', 'sagemaker:DescribeTrainingJob'])
    expect(await decision('TrainingRole', action, '*')).toBe('implicitDeny');
});

it.each(['StartTrainingRole', 'CheckTrainingRole', 'CleanUpRunRole', 'SweepRole'])(
  '%s stops training jobs of this stack alone',
  async (role) => {
    const stop = (name: string, context = {}) =>
      decision(
        role,
        'sagemaker:StopTrainingJob',
        `arn:aws:sagemaker:us-east-1:000000000000:training-job/${name}`,
        context,
      );
    expect(await stop('inferdrop-a', { [APPLICATION]: laptop.application.bucket })).toBe('allowed');
    expect(await stop('inferdrop-a', { [APPLICATION]: 'another-stage' })).toBe('implicitDeny');
    expect(await stop('nightly', { [APPLICATION]: laptop.application.bucket })).toBe('implicitDeny');
  },
);

it.each(['StartTransformRole', 'CheckTransformRole', 'CleanUpRunRole', 'SweepRole'])(
  '%s stops jobs of this stack alone',
  async (role) => {
    const stop = (name: string, context = {}) =>
      decision(role, 'sagemaker:StopTransformJob', job(name), context);
    expect(await stop('inferdrop-a', { [APPLICATION]: laptop.application.bucket })).toBe('allowed');
    expect(await stop('inferdrop-a', { [APPLICATION]: 'another-stage' })).toBe('implicitDeny');
    expect(await stop('inferdrop-a')).toBe('implicitDeny');
    expect(await stop('nightly-scores')).toBe('implicitDeny');
    expect(await stop('nightly-scores', { [APPLICATION]: laptop.application.bucket })).toBe('implicitDeny');
    for (const action of [
      'sagemaker:StopTrainingJob',
      'sagemaker:StopProcessingJob',
      'sagemaker:DeleteModel',
    ])
      expect([action, await decision(role, action, job('inferdrop-a'))]).toEqual([action, 'implicitDeny']);
  },
);

it('no other role may stop a job, and none makes models of other names', async () => {
  const { resources } = laptop.stack.find('inferdrop-dev');
  const roles = resources.filter(({ type }) => type === 'AWS::IAM::Role').map(({ logicalId }) => logicalId);
  const may = ['StartTransformRole', 'CheckTransformRole', 'CleanUpRunRole', 'SweepRole'];
  expect(roles).toEqual(expect.arrayContaining(may));
  const model = 'arn:aws:sagemaker:us-east-1:000000000000:model/nightly';
  for (const role of roles) {
    const tagged = { [APPLICATION]: laptop.application.bucket };
    const stopped = await decision(role, 'sagemaker:StopTransformJob', job('inferdrop-a'), tagged);
    expect([role, stopped]).toEqual([role, may.includes(role) ? 'allowed' : 'implicitDeny']);
    for (const action of ['sagemaker:CreateModel', 'sagemaker:AddTags', 'sagemaker:DeleteModel'])
      expect([role, action, await decision(role, action, model)]).toEqual([role, action, 'implicitDeny']);
  }
});
