import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SearchCommand, StopTrainingJobCommand } from '@aws-sdk/client-sagemaker';
import { expect, test } from 'vitest';
import { TrainingRefused } from '@inferdrop/training-container/training-request';
import { channel, type FakeRun, localTrainings, tarGz, TRAINING_IMAGE } from './local-trainings.ts';

/** Ends when it is asked to, and saves its model then. */
function untilStopped(started: PromiseWithResolvers<void>) {
  return async ({ hosts, stop }: FakeRun) => {
    started.resolve();
    await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    await writeFile(join(hosts[0]!.model, 'model.pth'), 'half');
  };
}

const transitions = (job: { SecondaryStatusTransitions?: { Status?: string | undefined }[] | undefined }) =>
  job.SecondaryStatusTransitions?.map(({ Status }) => Status);

test('a script that fails with another major version of its framework is told so, and what helps', async () => {
  const reason = `AlgorithmError: ExecuteUserScriptError: ${'x'.repeat(2_000)}`;
  const fails = async () => ({ exitCodes: {}, failure: { host: 'algo-1', exitCode: 1, reason } });
  const stack = await localTrainings(fails, { anyFrameworkVersion: true });
  const image = (version: string) => ({
    AlgorithmSpecification: {
      TrainingImage: TRAINING_IMAGE.replace('1.5.0', version),
      TrainingInputMode: 'File' as const,
    },
  });
  const { FailureReason = '' } = await stack.run('Other', image('2.6.0'));
  expect(FailureReason).toMatch(/^AlgorithmError: ExecuteUserScriptError: x+\n/);
  expect(FailureReason.split('\n')[1]).toBe(
    'the image has PyTorch 2.6.0, this machine PyTorch 1.13.1 (/opt/python): name an image with PyTorch 1, or start ' +
      'the stack with --training-python pytorch=PATH of a Python that has PyTorch 2',
  );
  expect(FailureReason).toHaveLength(1_024);
  expect((await stack.run('Same', image('1.5.0'))).FailureReason).not.toContain('--training-python');
});

test('Search, with which the SDK registers a model, is refused with the registry in its text', async () => {
  const stack = await localTrainings(async () => undefined);
  await expect(stack.client.send(new SearchCommand({ Resource: 'ModelPackage' }))).rejects.toMatchObject({
    name: 'UnknownOperationException',
    message: expect.stringMatching(
      /sagemaker Search, .* there is no model registry on this machine\. It offers: /,
    ),
  });
});

test('a job downloads, trains and uploads, and shows each step', async () => {
  const stack = await localTrainings(async ({ hosts: [host], print }) => {
    print('algo-1', 'loss=0.5; val_acc: 0.25');
    await stack.clock.advance(60_000);
    print('algo-1', 'val_acc: 0.75 val_acc: 0.9');
    print('algo-1', 'val_acc: much');
    await writeFile(join(host!.model, 'model.pth'), 'weights');
    await writeFile(join(host!.outputData, 'history.json'), '{}');
    await writeFile(join(host!.outputData, 'empty'), '');
    await symlink('/etc/passwd', join(host!.model, 'link'));
  });
  const start = new Date(stack.clock.now());
  const end = new Date(stack.clock.now() + 60_000);
  const job = await stack.run('Walk', {
    AlgorithmSpecification: {
      TrainingImage: '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:1.5.0-cpu-py3',
      TrainingInputMode: 'File',
      EnableSageMakerMetricsTimeSeries: true,
      MetricDefinitions: [
        { Name: 'accuracy', Regex: 'val_acc: (\\S+)' },
        { Name: 'loss', Regex: 'loss=([0-9.]+);' },
      ],
    },
    ProfilerConfig: { DisableProfiler: true },
    Tags: [{ Key: 'Project', Value: 'mnist' }],
  });
  expect(job).toMatchObject({
    TrainingJobArn: 'arn:aws:sagemaker:us-east-1:000000000000:training-job/walk',
    TrainingJobStatus: 'Completed',
    SecondaryStatus: 'Completed',
    OutputDataConfig: { KmsKeyId: '', S3OutputPath: 's3://bucket/' },
    ModelArtifacts: { S3ModelArtifacts: 's3://bucket/Walk/output/model.tar.gz' },
    ProfilerConfig: { DisableProfiler: true },
    TrainingStartTime: start,
    TrainingEndTime: end,
    TrainingTimeInSeconds: 60,
    BillableTimeInSeconds: 60,
    SecondaryStatusTransitions: [
      { Status: 'Starting', StatusMessage: 'Starting the training job', StartTime: start, EndTime: start },
      { Status: 'Downloading', StatusMessage: 'Downloading input data' },
      { Status: 'Training', StartTime: start, EndTime: end },
      { Status: 'Uploading', StatusMessage: 'Uploading generated training model' },
      { Status: 'Completed', StatusMessage: 'Training job completed', StartTime: end, EndTime: end },
    ],
    FinalMetricDataList: [
      { MetricName: 'accuracy', Value: 0.75, Timestamp: end },
      { MetricName: 'loss', Value: 0.5, Timestamp: start },
    ],
  });
  expect(job).not.toHaveProperty('Tags');
  expect(await stack.untar('Walk/output/model.tar.gz')).toEqual({ 'model.pth': 'weights' });
  expect(await stack.untar('Walk/output/output.tar.gz')).toEqual({ 'history.json': '{}', empty: '' });
  expect(stack.measured).toEqual([
    ['/aws/sagemaker/TrainingJobs', 'Host,Walk/algo-1', { accuracy: 0.25, loss: 0.5 }],
    ['/aws/sagemaker/TrainingJobs', 'TrainingJobName,Walk', { accuracy: 0.25, loss: 0.5 }],
    ['/aws/sagemaker/TrainingJobs', 'Host,Walk/algo-1', { accuracy: 0.75 }],
    ['/aws/sagemaker/TrainingJobs', 'TrainingJobName,Walk', { accuracy: 0.75 }],
  ]);
  const stream = `Walk/algo-1-${start.getTime() / 1000}`;
  expect(stack.logLines).toEqual([
    `${stream}: [sagemaker logs]: training runtime: PyTorch 1.13.1 / Python 3.11.7`,
    `${stream}: [sagemaker logs]: the image has PyTorch 1.5.0; what runs here is PyTorch 1.13.1 / Python 3.11.7 (/opt/python)`,
    `${stream}: [sagemaker logs]: hosts are portable: they share the network and files of this machine, and Python ` +
      'maps /opt/ml, names and ports',
    `${stream}: [sagemaker logs]: recorded, without effect on this machine: ProfilerConfig`,
    `${stream}: loss=0.5; val_acc: 0.25`,
    `${stream}: val_acc: 0.75 val_acc: 0.9`,
    `${stream}: val_acc: much`,
    `${stream}: [sagemaker logs]: links and devices are not uploaded: link`,
  ]);
  expect(stack.events.map(({ detail }) => [detail['TrainingJobStatus'], detail['SecondaryStatus']])).toEqual([
    ['InProgress', 'Starting'],
    ['InProgress', 'Downloading'],
    ['InProgress', 'Training'],
    ['InProgress', 'Uploading'],
    ['Completed', 'Completed'],
  ]);
  expect(stack.events.at(-1)).toMatchObject({
    'detail-type': 'SageMaker Training Job State Change',
    resources: ['arn:aws:sagemaker:us-east-1:000000000000:training-job/walk'],
    detail: {
      TrainingEndTime: end.getTime(),
      Tags: { Project: 'mnist', 'inferdrop:runtime': 'PyTorch 1.13.1 / Python 3.11.7' },
    },
  });
  await stack.close();
});

test('every host has its channels, the source and what the SDK asks for; equal names are the first host’s', async () => {
  const seen: Record<string, unknown> = {};
  let environment: Readonly<Record<string, string>> = {};
  const stack = await localTrainings(
    async ({ hosts, request }) => {
      environment = request.environment;
      for (const { host, data, code, model } of hosts) {
        const files = await readdir(data, { recursive: true, withFileTypes: true });
        const names = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
        seen[host] = names.map((name) => name.slice(data.length + 1)).sort();
        seen[`${host} code`] = await readFile(join(code, 'train.py'), 'utf8');
        await writeFile(join(model, 'model.pth'), host);
        await writeFile(join(model, `${host}.txt`), host);
      }
    },
    { roles: { credentialsOf: () => ({ accessKeyId: 'AKIA', secretAccessKey: 's' }), refusal: () => null } },
  );
  for (const key of ['data/train/1', 'data/train/2', 'data/train/deep/3', 'data/trainers/4', 'data/train/'])
    stack.objects.put(key, key);
  stack.objects.put('list.json', JSON.stringify([{ prefix: 's3://bucket/data/' }, 'train/1', 'trainers/4']));
  stack.objects.put('j/source/sourcedir.tar.gz', await tarGz({ 'train.py': 'print()' }));
  const job = await stack.run('hosts', {
    ResourceConfig: { InstanceCount: 2, InstanceType: 'ml.c4.xlarge', VolumeSizeInGB: 30 },
    InputDataConfig: [
      channel('sharded', 's3://bucket/data/train/', { S3DataDistributionType: 'ShardedByS3Key' }),
      channel('manifest', 's3://bucket/list.json', { S3DataType: 'ManifestFile' }),
      { ...channel('fast', 's3://bucket/data/train/1'), InputMode: 'FastFile' },
    ],
    HyperParameters: {
      sagemaker_program: '"train.py"',
      sagemaker_submit_directory: '"s3://bucket/j/source/sourcedir.tar.gz"',
    },
    Environment: { MINE: '1' },
  });
  expect(job.TrainingJobStatus).toBe('Completed');
  expect(seen).toEqual({
    'algo-1': ['fast/1', 'manifest/train/1', 'manifest/trainers/4', 'sharded/1', 'sharded/deep/3'],
    'algo-2': ['fast/1', 'manifest/train/1', 'manifest/trainers/4', 'sharded/2'],
    'algo-1 code': 'print()',
    'algo-2 code': 'print()',
  });
  expect(environment).toMatchObject({ MINE: '1', AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 's' });
  expect(environment['AWS_ENDPOINT_URL']).toMatch(/^http:/);
  expect(await stack.untar('hosts/output/model.tar.gz')).toEqual({
    'algo-1.txt': 'algo-1',
    'algo-2.txt': 'algo-2',
    'model.pth': 'algo-1',
  });
  expect(stack.logLines.join('\n')).toContain('channel fast: FastFile is read as File');
  await stack.close();
});

test('the log says what network isolation does not hold back', async () => {
  const stack = await localTrainings(async () => undefined);
  await stack.run('isolated', { EnableNetworkIsolation: true });
  await stack.run('open');
  const said = (job: string) =>
    stack.logLines.filter((line) => line.startsWith(job) && line.includes('EnableNetworkIsolation'));
  expect(said('isolated')).toEqual([
    expect.stringContaining('programs that it starts have the network of this machine'),
  ]);
  expect(said('open')).toEqual([]);
  await stack.close();
});

test('a stopped job keeps what its script saved', async () => {
  const started = Promise.withResolvers<void>();
  const stack = await localTrainings(untilStopped(started));
  await stack.create('stopped');
  await started.promise;
  await stack.client.send(new StopTrainingJobCommand({ TrainingJobName: 'stopped' }));
  await stack.idle();
  const job = await stack.describe('stopped');
  expect(job).toMatchObject({ TrainingJobStatus: 'Stopped', SecondaryStatus: 'Stopped' });
  expect(transitions(job)).toEqual(['Starting', 'Downloading', 'Training', 'Stopping', 'Stopped']);
  expect(await stack.untar('stopped/output/model.tar.gz')).toEqual({ 'model.pth': 'half' });
  await expect(
    stack.client.send(new StopTrainingJobCommand({ TrainingJobName: 'stopped' })),
  ).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'The request was rejected because the training job is in status Stopped.',
  });
  await stack.close();
});

test('a job whose run time is over is stopped as such', async () => {
  const started = Promise.withResolvers<void>();
  const stack = await localTrainings(untilStopped(started));
  await stack.create('long', { StoppingCondition: { MaxRuntimeInSeconds: 60 } });
  await started.promise;
  await stack.clock.advance(60_000);
  await stack.idle();
  const job = await stack.describe('long');
  expect(job).toMatchObject({ TrainingJobStatus: 'Stopped', SecondaryStatus: 'MaxRuntimeExceeded' });
  expect(transitions(job)?.slice(2)).toEqual(['Training', 'Stopping', 'Uploading', 'MaxRuntimeExceeded']);
  expect(stack.objects.created).toContain('long/output/model.tar.gz');
  await stack.close();
});

test('a failed job says why, and keeps its output but no model', async () => {
  const stack = await localTrainings(async ({ hosts: [host] }) => {
    await writeFile(join(host!.model, 'model.pth'), 'half');
    await writeFile(join(host!.outputData, 'trace'), 'x');
    return {
      exitCodes: { 'algo-1': 1 },
      failure: { host: 'algo-1', exitCode: 1, reason: 'AlgorithmError: ExecuteUserScriptError' },
    };
  });
  const job = await stack.run('failed');
  expect(job).toMatchObject({
    TrainingJobStatus: 'Failed',
    FailureReason: 'AlgorithmError: ExecuteUserScriptError',
  });
  expect(transitions(job)?.slice(2)).toEqual(['Training', 'Uploading', 'Failed']);
  expect(stack.objects.created).toEqual(['failed/output/output.tar.gz']);
  await stack.close();
});

test('what a script prints without end is bounded in the log, and its metrics are read all the same', async () => {
  const stack = await localTrainings(async ({ print }) => {
    for (let step = 0; step < 40_000; step++) print('algo-1', `step ${step} loss=${step}; ${'x'.repeat(50)}`);
  });
  const job = await stack.run('loud', {
    AlgorithmSpecification: {
      TrainingImage: TRAINING_IMAGE,
      TrainingInputMode: 'File',
      MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+);' }],
    },
  });
  expect(job.FinalMetricDataList).toMatchObject([{ MetricName: 'loss', Value: 39_999 }]);
  expect(stack.logLines.join('\n').length).toBeLessThan(1.2 * 1024 ** 2);
  expect(stack.logLines.at(-1)).toMatch(/\d+ lines dropped \(\d+ bytes\)/);
  await stack.close();
});

test('a source that the hosts refuse fails the job', async () => {
  const stack = await localTrainings(async () => {
    throw new TrainingRefused(['train.py is not there', 'and more']);
  });
  expect((await stack.run('refused')).FailureReason).toBe('AlgorithmError: train.py is not there\nand more');
  await stack.close();
});

test.each([
  [
    's3:GetObject',
    {},
    'ClientError: Data download failed:Unable to download object s3://bucket/in/a.txt (AccessDenied:',
  ],
  [
    's3:PutObject',
    {},
    'ClientError: Artifact upload failed:Unable to upload s3://bucket/job/output/model.tar.gz',
  ],
  [
    'none',
    { OutputDataConfig: { S3OutputPath: 's3://gone/x' } },
    'ClientError: Artifact upload failed:Unable to upload s3://gone/x/job/output/model.tar.gz (bucket gone does not exist)',
  ],
  [
    'none',
    { HyperParameters: { sagemaker_submit_directory: '"s3://bucket/no.tar.gz"' } },
    'AlgorithmError: Framework Error: \nsagemaker_submit_directory s3://bucket/no.tar.gz: Not Found',
  ],
  [
    'none',
    { HyperParameters: { sagemaker_submit_directory: '/opt/ml/../../../etc/x' } },
    'AlgorithmError: Framework Error: \nsagemaker_submit_directory /opt/ml/../../../etc/x: there is no such archive below /opt/ml',
  ],
  [
    'none',
    { InputDataConfig: [channel('training', 's3://bucket/up')] },
    'ClientError: Data download failed:Unable to download object s3://bucket/up/../x (the key is no path',
  ],
])('what the role may not, or S3 has not, fails the job: %s %j', async (action, changes, reason) => {
  const stack = await localTrainings(({ hosts: [host] }) => writeFile(join(host!.model, 'model.pth'), 'w'), {
    roles: {
      credentialsOf: () => ({ accessKeyId: 'a', secretAccessKey: 's' }),
      refusal: (_role, _name, asked) => (asked.some((one) => one.action === action) ? 'no' : null),
    },
  });
  stack.objects.put('up/../x', 'x');
  const job = await stack.run('job', changes);
  expect(job.TrainingJobStatus).toBe('Failed');
  expect(job.FailureReason?.slice(0, reason.length)).toBe(reason);
  await stack.close();
});

test('checkpoints are there again for the next job', async () => {
  const found: string[][] = [];
  const stack = await localTrainings(async ({ hosts: [host] }) => {
    found.push(await readdir(host!.checkpoints));
    await writeFile(join(host!.checkpoints, `epoch-${found.length}`), 'x');
  });
  const CheckpointConfig = { S3Uri: 's3://bucket/checkpoints' };
  await stack.run('first', { CheckpointConfig });
  await stack.run('second', { CheckpointConfig });
  expect(found).toEqual([[], ['epoch-1']]);
  expect(stack.objects.text('checkpoints/epoch-2')).toBe('x');
  await stack.close();
});

test('a job that ran when the stack ended is failed, with an event', async () => {
  const started = Promise.withResolvers<void>();
  const before = await localTrainings(untilStopped(started));
  await before.create('interrupted');
  await started.promise;
  await before.close();
  expect(before.objects.created).toEqual([]);

  const after = await localTrainings(async () => undefined, { dir: before.dir });
  expect(await after.describe('interrupted')).toMatchObject({
    TrainingJobStatus: 'Failed',
    FailureReason: 'InternalServerError: We encountered an internal error. Please try again.',
  });
  expect(after.events.map(({ detail }) => detail['TrainingJobStatus'])).toEqual(['Failed']);
  await after.close();
});
