import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  CreateTrainingJobCommand,
  type CreateTrainingJobCommandInput,
  DescribeTrainingJobCommand,
  SageMakerClient,
  StopTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createSageMaker, type SageMaker } from '../../sagemaker/service.ts';
import { channel, fakeHosts, trainingInput } from '../sagemaker/training/local-trainings.ts';
import { allow, type LocalRoles, localRoles } from '../support/local-roles.ts';
import { memoryObjects } from '../support/memory-objects.ts';

const KEY = 'arn:aws:kms:us-east-1:000000000000:key/k';
const JOBS = '/aws/sagemaker/TrainingJobs';
const objects = memoryObjects();
const logged: string[] = [];
const measured: string[] = [];
let roles: LocalRoles;
let sagemaker: SageMaker;

beforeAll(async () => {
  objects.put('in/a.txt', 'a');
  roles = await localRoles(({ site, iam, below }) => {
    sagemaker = createSageMaker({
      dir: below('sagemaker'),
      site,
      clock: systemClock,
      objects,
      roles: iam.sessions,
      bus: { put: () => undefined },
      metrics: { put: (_namespace, dimensions) => void measured.push(Object.values(dimensions).join()) },
      logs: { write: (_group, stream) => void logged.push(stream) },
      trainingHosts: fakeHosts(async ({ hosts: [host], print }) => {
        print('algo-1', 'loss=0.5;');
        await writeFile(path.join(host!.model, 'model'), 'w');
        await writeFile(path.join(host!.checkpoints, 'c'), 'c');
      }),
    });
    return [sagemaker.service];
  });
});
afterAll(() => roles.close());

const as = async (name: string, ...statements: unknown[]) =>
  new SageMakerClient(await roles.clientOf(name, ...statements));

/** What a job's role needs for this job, by the resource that it needs it on. */
const READ = [
  allow('s3:ListBucket', 'arn:aws:s3:::bucket'),
  allow('s3:GetObject', ['arn:aws:s3:::bucket/in/*', 'arn:aws:s3:::bucket/checkpoints/*']),
];
const WRITE = [
  allow('s3:PutObject', ['arn:aws:s3:::bucket/*/output/*', 'arn:aws:s3:::bucket/checkpoints/*']),
];
const TELL = [
  allow(['logs:CreateLogStream', 'logs:PutLogEvents'], `arn:aws:logs:*:*:log-group:${JOBS}:log-stream:*`),
  allow('cloudwatch:PutMetricData', '*', { StringEquals: { 'cloudwatch:namespace': JOBS } }),
];

const asked = (name: string, roleArn: string, more: Partial<CreateTrainingJobCommandInput> = {}) =>
  new CreateTrainingJobCommand(
    trainingInput(name, {
      RoleArn: roleArn,
      CheckpointConfig: { S3Uri: 's3://bucket/checkpoints' },
      AlgorithmSpecification: {
        TrainingImage: '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:1.5.0-cpu-py3',
        TrainingInputMode: 'File',
        MetricDefinitions: [{ Name: 'loss', Regex: 'loss=([0-9.]+);' }],
      },
      ...more,
    }),
  );

/** Runs a job under a role to its end. */
async function runAs(name: string, ...statements: unknown[]) {
  const owner = new SageMakerClient(roles.client);
  await owner.send(asked(name, await roles.role(`${name}-role`, ...statements)));
  await sagemaker.idle();
  return owner.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));
}

const ofJob = (lines: readonly string[], name: string) => lines.filter((line) => line.startsWith(name));

test('a role with no more than these rights trains, logs and measures', async () => {
  const job = await runAs('least', ...READ, ...WRITE, ...TELL);
  expect([job.TrainingJobStatus, job.FailureReason]).toEqual(['Completed', undefined]);
  expect(ofJob(logged, 'least/algo-1-')).not.toEqual([]);
  expect(ofJob(measured, 'least')).toEqual(['least/algo-1', 'least']);
  expect(objects.text('checkpoints/c')).toBe('c');
});

test('without rights on logs or metrics nothing is written, and nothing fails', async () => {
  const job = await runAs('silent', ...READ, ...WRITE);
  expect(job.TrainingJobStatus).toBe('Completed');
  expect([ofJob(logged, 'silent'), ofJob(measured, 'silent')]).toEqual([[], []]);
  expect(job.FinalMetricDataList).toMatchObject([{ MetricName: 'loss', Value: 0.5 }]);
});

test('a role that may not list its input is refused as for an empty prefix', async () => {
  await expect(runAs('blind', ...WRITE, ...TELL)).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringMatching(
      /^No S3 objects found under S3 URL "s3:\/\/bucket\/in\/".* that the role "arn:aws:iam::000000000000:role\/blind-role" has "s3:ListBucket" permissions/,
    ),
  });
});

test.each([
  [
    'unread',
    [READ[0], ...WRITE],
    'ClientError: Data download failed:Unable to download object s3://bucket/in/a.txt (AccessDenied: ',
  ],
  [
    'unstored',
    [...READ, allow('s3:PutObject', 'arn:aws:s3:::bucket/checkpoints/*')],
    'ClientError: Artifact upload failed:Unable to upload s3://bucket/unstored/output/model.tar.gz',
  ],
  [
    'unkept',
    [...READ, allow('s3:PutObject', 'arn:aws:s3:::bucket/*/output/*')],
    'ClientError: Artifact upload failed:Unable to upload s3://bucket/checkpoints/c',
  ],
])('%s: what the role may not do fails the job', async (name, statements, reason) => {
  const job = await runAs(name, ...statements, ...TELL);
  expect(job.TrainingJobStatus).toBe('Failed');
  expect(job.FailureReason?.slice(0, reason.length)).toBe(reason);
});

test('who starts a job needs the job, its tags, the role, and the key of its volumes unless the role has it', async () => {
  const plain = await roles.role('plain', ...READ, ...WRITE);
  const granting = await roles.role('granting', ...READ, ...WRITE, allow('kms:CreateGrant', KEY));
  const own = allow('sagemaker:CreateTrainingJob', 'arn:aws:sagemaker:*:*:training-job/ours-*');
  const pass = allow('iam:PassRole', [plain, granting], {
    StringEquals: { 'iam:PassedToService': 'sagemaker.amazonaws.com' },
  });
  const volume = {
    ResourceConfig: {
      InstanceCount: 1,
      InstanceType: 'ml.c4.xlarge',
      VolumeSizeInGB: 30,
      VolumeKmsKeyId: KEY,
    },
  } as const;
  const Tags = [{ Key: 'team', Value: 'vision' }];
  await expect((await as('nothing', pass)).send(asked('ours-1', plain))).rejects.toThrow(
    'sagemaker:CreateTrainingJob',
  );
  await expect((await as('alone', own)).send(asked('ours-1', plain))).rejects.toThrow('iam:PassRole');
  const starts = await as('starts', own, pass);
  await expect(starts.send(asked('theirs', plain))).rejects.toThrow('sagemaker:CreateTrainingJob');
  await expect(starts.send(asked('ours-1', plain, { Tags }))).rejects.toThrow('sagemaker:AddTags');
  await expect(starts.send(asked('ours-1', plain, volume))).rejects.toThrow('kms:CreateGrant');
  await starts.send(asked('ours-1', granting, volume));
  await expect(starts.send(new StopTrainingJobCommand({ TrainingJobName: 'ours-1' }))).rejects.toThrow(
    'sagemaker:StopTrainingJob',
  );
  await sagemaker.idle();
});

test('a role that may not use the key of the outputs leaves none', async () => {
  const owner = new SageMakerClient(roles.client);
  const run = async (name: string, ...statements: unknown[]) => {
    const output = { OutputDataConfig: { S3OutputPath: 's3://bucket/', KmsKeyId: KEY } };
    await owner.send(asked(name, await roles.role(`${name}-role`, ...READ, ...WRITE, ...statements), output));
    await sagemaker.idle();
    return owner.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));
  };
  const { FailureReason } = await run('no-key');
  expect(FailureReason).toMatch(
    /^ClientError: Artifact upload failed:Unable to upload s3:\/\/bucket\/no-key\/output\/model.tar.gz \(.*kms:GenerateDataKey/,
  );
  expect((await run('with-key', allow('kms:GenerateDataKey', KEY))).TrainingJobStatus).toBe('Completed');
});

test('a source in a folder that the role may not read fails the job', async () => {
  const owner = new SageMakerClient(roles.client);
  const roleArn = await roles.role('no-source', ...READ, ...WRITE);
  objects.put('code/sourcedir.tar.gz', 'x');
  await owner.send(
    asked('no-source', roleArn, {
      HyperParameters: { sagemaker_submit_directory: '"s3://bucket/code/sourcedir.tar.gz"' },
      InputDataConfig: [channel('training', 's3://bucket/in/')],
    }),
  );
  await sagemaker.idle();
  const job = await owner.send(new DescribeTrainingJobCommand({ TrainingJobName: 'no-source' }));
  expect(job.FailureReason).toMatch(
    /^AlgorithmError: Framework Error: \nsagemaker_submit_directory s3:\/\/bucket\/code\/sourcedir.tar.gz: .*s3:GetObject/,
  );
});
