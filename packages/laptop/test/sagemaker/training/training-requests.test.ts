import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DeleteTrainingJobCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  type ListTrainingJobsCommandInput,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyServiceAllowed } from '../../../kernel/permission.ts';
import { AccountLimits } from '../../../service-quotas/account-limits.ts';
import { channel, localTrainings, TRAINING_IMAGE, trainingInput } from './local-trainings.ts';

let stack: Awaited<ReturnType<typeof localTrainings>>;
beforeAll(async () => {
  stack = await localTrainings(async () => undefined, {
    faults: {
      training: (name) =>
        (({ 'no-rate': 'throttle', full: 'limit', none: 'capacity', broken: 'internal' }) as const)[name],
    },
  });
});
afterAll(() => stack.close());

const algorithm = (changes: object) => ({
  AlgorithmSpecification: { TrainingImage: TRAINING_IMAGE, TrainingInputMode: 'File' as const, ...changes },
});
const resources = (changes: object) => ({
  ResourceConfig: { InstanceCount: 1, InstanceType: 'ml.c4.xlarge' as const, VolumeSizeInGB: 30, ...changes },
});
const input = (changes: object) => ({
  InputDataConfig: [{ ...channel('training', 's3://bucket/in/'), ...changes }],
});

describe('CreateTrainingJob refuses', () => {
  test.each<[string, Partial<CreateTrainingJobCommandInput>, string]>([
    [
      'an empty prefix',
      { InputDataConfig: [channel('t', 's3://bucket/nothing/')] },
      'No S3 objects found under S3 URL "s3://bucket/nothing/"',
    ],
    [
      'a waiting time without spot',
      { StoppingCondition: { MaxRuntimeInSeconds: 1, MaxWaitTimeInSeconds: 2 } },
      'Invalid MaxWaitTimeInSeconds. It is only supported when EnableManagedSpotTraining is set to true',
    ],
    [
      'spot without a waiting time',
      { EnableManagedSpotTraining: true },
      'Invalid MaxWaitTimeInSeconds. It must be present',
    ],
    [
      'a month',
      { StoppingCondition: { MaxRuntimeInSeconds: 30 * 86_400 } },
      'StoppingCondition.MaxRuntimeInSeconds must be at most 2419200, is 2592000',
    ],
    [
      'a job without image',
      algorithm({ TrainingImage: undefined }),
      'AlgorithmSpecification must have one of TrainingImage and AlgorithmName, has neither',
    ],
    ['no instances', resources({ InstanceCount: 0 }), 'ResourceConfig.InstanceCount must be 1 or more, is 0'],
    ['no type', resources({ InstanceType: undefined }), 'ResourceConfig.InstanceType must be given'],
    [
      'a type that does not exist',
      resources({ InstanceType: 'ml.x9.large' }),
      "Value 'ml.x9.large' at 'resourceConfig.instanceType' failed to satisfy constraint",
    ],
    [
      'a regex that cannot be compiled',
      algorithm({ MetricDefinitions: [{ Name: 'm', Regex: '(' }] }),
      'the regex of metric m must be one of RE2, is (',
    ],
    [
      'a regex without group',
      algorithm({ MetricDefinitions: [{ Name: 'm', Regex: 'x' }] }),
      'the regex of metric m must have a group for the value, is x',
    ],
    [
      'gzip in File mode',
      input({ CompressionType: 'Gzip' }),
      'CompressionType of channel training must be None but in Pipe mode, is Gzip in File mode',
    ],
    [
      'records in File mode',
      input({ RecordWrapperType: 'RecordIO' }),
      'RecordWrapperType of channel training must be None but in Pipe mode',
    ],
    [
      'a manifest in FastFile mode',
      {
        InputDataConfig: [
          { ...channel('t', 's3://bucket/in/a.txt', { S3DataType: 'ManifestFile' }), InputMode: 'FastFile' },
        ],
      },
      'S3DataType of channel t must be S3Prefix in FastFile mode, is ManifestFile',
    ],
    [
      'an augmented manifest in File mode',
      { InputDataConfig: [channel('t', 's3://bucket/in/a.txt', { S3DataType: 'AugmentedManifestFile' })] },
      'AugmentedManifestFile of channel t needs Pipe mode and AttributeNames',
    ],
    [
      'a channel twice',
      { InputDataConfig: [channel('t', 's3://bucket/in/'), channel('t', 's3://bucket/in/')] },
      'InputDataConfig must name each channel once, has t twice',
    ],
    [
      'a channel with the name of a pipe',
      {
        InputDataConfig: [
          { ...channel('t', 's3://bucket/in/'), InputMode: 'Pipe' as const },
          channel('t_0', 's3://bucket/in/'),
        ],
      },
      'channel t_0 has the name of a pipe of channel t',
    ],
    [
      'a channel above its folder',
      { InputDataConfig: [channel('..', 's3://bucket/in/')] },
      'ChannelName must be the name of a folder, is ..',
    ],
    [
      'another scheme',
      { OutputDataConfig: { S3OutputPath: 'https://bucket/x' } },
      'OutputDataConfig.S3OutputPath must be of the form s3://bucket/key, is https://bucket/x',
    ],
    [
      'what is not installed',
      algorithm({ TrainingImage: 'r/tensorflow-training:2.12' }),
      'This stack cannot run the job: tensorflow is not installed',
    ],
    [
      'an image with another major version',
      algorithm({ TrainingImage: 'r/pytorch-training:2.6.0-cpu-py312' }),
      'This stack cannot run the job: the image has PyTorch 2.6.0, this machine PyTorch 1.13.1 (/opt/python): name an ' +
        'image with PyTorch 1,',
    ],
    [
      'an unknown image',
      algorithm({ TrainingImage: '1.dkr.ecr/xgboost:1' }),
      'This stack cannot run the image 1.dkr.ecr/xgboost:1: its repository must be one of tensorflow-training',
    ],
    [
      'a capacity that is not there',
      resources({ InstanceCount: 21 }),
      "The account-level service limit 'ml.c4.xlarge for training job usage' is 20 Instances",
    ],
  ])('%s', async (_what, changes, message) => {
    await expect(stack.create('refused', changes)).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test.each<[Partial<CreateTrainingJobCommandInput>, string]>([
    [algorithm({ AlgorithmName: 'mine' }), 'AlgorithmSpecification.AlgorithmName'],
    [algorithm({ ContainerArguments: ['-x'] }), 'ContainerArguments without ContainerEntrypoint'],
    [resources({ KeepAlivePeriodInSeconds: 60 }), 'ResourceConfig.KeepAlivePeriodInSeconds'],
    [
      { OutputDataConfig: { S3OutputPath: 's3://bucket', CompressionType: 'NONE' } },
      'OutputDataConfig.CompressionType NONE',
    ],
    [
      { CheckpointConfig: { S3Uri: 's3://bucket/c', LocalPath: '/tmp/c' } },
      'a CheckpointConfig.LocalPath other than /opt/ml/checkpoints',
    ],
    [
      { InputDataConfig: [channel('t', 's3://bucket/in/', { S3DataType: 'Converse' })] },
      'S3DataType Converse (channel t)',
    ],
  ])('what this stack does not emulate: %j', async (changes, what) => {
    await expect(stack.create('refused', changes)).rejects.toMatchObject({
      name: 'ValidationException',
      message: `The local stack does not emulate ${what} of CreateTrainingJob: leave it out`,
    });
  });

  test('a name that is taken, until its job is deleted', async () => {
    await stack.run('taken');
    await expect(stack.create('taken')).rejects.toMatchObject({ name: 'ResourceInUse' });
    await stack.client.send(new DeleteTrainingJobCommand({ TrainingJobName: 'taken' }));
    await expect(stack.describe('taken')).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Requested resource not found.',
    });
    await stack.run('taken');
  });

  test('a role that does not trust SageMaker', async () => {
    const strict = await localTrainings(async () => undefined, {
      access: { ...everyServiceAllowed, mayAssume: () => false },
    });
    await expect(strict.create('job')).rejects.toMatchObject({
      message: expect.stringMatching(/^Could not assume role /),
    });
    await strict.close();
  });
});

test('an image with another major version runs where the stack is set to run any', async () => {
  const lenient = await localTrainings(async () => undefined, { anyFrameworkVersion: true });
  const job = await lenient.run('other', algorithm({ TrainingImage: 'r/pytorch-training:2.6.0-cpu-py312' }));
  expect(job.TrainingJobStatus).toBe('Completed');
  expect(lenient.logLines.join()).toContain('the image has PyTorch 2.6.0; what runs here is PyTorch 1.13.1');
  await lenient.close();
});

test('faults refuse the call or fail the job', async () => {
  await expect(stack.create('no-rate')).rejects.toMatchObject({ name: 'ThrottlingException' });
  await expect(stack.create('full')).rejects.toMatchObject({ name: 'ResourceLimitExceeded' });
  expect((await stack.run('none')).FailureReason).toMatch(/^CapacityError: /);
  const job = await stack.run('broken');
  expect(job.FailureReason).toMatch(/^InternalServerError: /);
  expect(job).not.toHaveProperty('TrainingTimeInSeconds');
});

test('instances are in use while a job runs, and it cannot be deleted', async () => {
  const busy = await localTrainings(
    ({ stop }) => new Promise((resolve) => stop.addEventListener('abort', () => resolve(), { once: true })),
    { limits: AccountLimits.parse({ trainingInstances: { '*': 1 } }) },
  );
  await busy.create('one');
  await expect(busy.create('two')).rejects.toMatchObject({ name: 'ResourceLimitExceeded' });
  await expect(
    busy.client.send(new DeleteTrainingJobCommand({ TrainingJobName: 'one' })),
  ).rejects.toMatchObject({ name: 'ResourceInUse' });
  await busy.close();
});

test('jobs are listed by name and time; a status leaves gaps in the pages', async () => {
  const own = await localTrainings(async () => undefined, {
    faults: { training: (name) => (name === 'list-b' ? 'capacity' : undefined) },
  });
  for (const name of ['list-a', 'list-b', 'list-c']) await own.run(name);
  const list = async (filter: ListTrainingJobsCommandInput) => {
    const page = await own.client.send(new ListTrainingJobsCommand(filter));
    return [page.TrainingJobSummaries?.map((job) => job.TrainingJobName), page.NextToken !== undefined];
  };
  expect(await list({ SortBy: 'Name', SortOrder: 'Ascending' })).toEqual([
    ['list-a', 'list-b', 'list-c'],
    false,
  ]);
  expect(await list({ NameContains: '-b' })).toEqual([['list-b'], false]);
  const byName = { SortBy: 'Name', SortOrder: 'Ascending', StatusEquals: 'Failed', MaxResults: 1 } as const;
  expect(await list(byName)).toEqual([[], true]);
  expect(await list({ ...byName, MaxResults: 2 })).toEqual([['list-b'], true]);
  await own.close();
});

test('a job has its tags', async () => {
  const { TrainingJobArn: ResourceArn } = await stack.run('tagged', { Tags: [{ Key: 'a', Value: '1' }] });
  await stack.client.send(new AddTagsCommand({ ResourceArn, Tags: [{ Key: 'b', Value: '2' }] }));
  expect((await stack.client.send(new ListTagsCommand({ ResourceArn }))).Tags).toEqual([
    { Key: 'a', Value: '1' },
    { Key: 'inferdrop:runtime', Value: 'PyTorch 1.13.1 / Python 3.11.7' },
    { Key: 'b', Value: '2' },
  ]);
});

test('a command of the job’s own reaches its hosts, without a source', async () => {
  const commands: unknown[] = [];
  const own = await localTrainings(async ({ request }) => void commands.push(request.command));
  const job = await own.run('own', {
    ...algorithm({ ContainerEntrypoint: ['/bin/sh', '-c'], ContainerArguments: ['echo $0', 'x'] }),
    HyperParameters: { sagemaker_submit_directory: '"s3://bucket/gone.tar.gz"' },
  });
  expect(job.TrainingJobStatus).toBe('Completed');
  expect(commands).toEqual([['/bin/sh', '-c', 'echo $0', 'x']]);
  await own.close();
});

test('what the SDK sends beside is taken and described', async () => {
  const beside = {
    DebugHookConfig: { S3OutputPath: 's3://bucket/', CollectionConfigurations: [] },
    ProfilerConfig: { S3OutputPath: 's3://bucket/', DisableProfiler: false },
    VpcConfig: { Subnets: ['subnet-0123456789abcdef0'], SecurityGroupIds: ['sg-0123456789abcdef0'] },
    EnableInterContainerTrafficEncryption: true,
    RetryStrategy: { MaximumRetryAttempts: 3 },
    HyperParameters: { epochs: '6', backend: '"gloo"' },
  };
  await stack.client.send(new CreateTrainingJobCommand(trainingInput('beside', beside)));
  await stack.idle();
  expect(await stack.describe('beside')).toMatchObject({ ...beside, TrainingJobStatus: 'Completed' });
});
