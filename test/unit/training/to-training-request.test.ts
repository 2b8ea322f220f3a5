import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toHyperparameter } from '../../../src/training/hyperparameters.ts';
import { toTrainingRequest } from '../../../src/training/to-training-request.ts';
import { resolveTrainingImage } from '../../../src/training/training-image.ts';
import type { PlannedChannel, TrainingPlan } from '../../../src/training/training-plan.ts';
import { trainingPlan } from '../../support/training-documents.ts';

/** Requests that SageMaker's Python SDK really built, captured from a stubbed client. */
const CAPTURED = JSON.parse(
  readFileSync(new URL('../../fixtures/training-requests.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, unknown>>;
const SDK = 'sdk 2.257.7';
const BUCKET = 's3://sagemaker-us-east-1-111122223333/';

const channel = (name: string, uri: string): PlannedChannel => ({
  ...trainingPlan().channels[0]!,
  name,
  uri,
});
const hyperparameters = (values: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toHyperparameter(value)]));

function plan(
  framework: 'tensorflow' | 'pytorch',
  version: string,
  instanceType: string,
  changes: Partial<TrainingPlan>,
): TrainingPlan {
  const resolved = resolveTrainingImage({
    framework,
    version,
    pyVersion: 'py3',
    instanceType,
    region: 'us-east-1',
  });
  if (!('uri' in resolved)) throw new Error(resolved.reason);
  return trainingPlan({
    image: { ...resolved, framework, version, horovod: null },
    roleArn: 'arn:aws:iam::111122223333:role/Train',
    instances: { types: [instanceType], count: 1, volumeSizeInGB: 30, kmsKeyArn: null },
    limits: { maxCostUsd: null, maxRunSeconds: 86_400, maxWaitSeconds: 14_400 },
    hyperparameters: {},
    metrics: [],
    checkpoints: null,
    ...changes,
  });
}

const two = (instanceType: string): TrainingPlan['instances'] => ({
  types: [instanceType],
  count: 2,
  volumeSizeInGB: 30,
  kmsKeyArn: null,
});
const source = (entryPoint: string): TrainingPlan['source'] => ({ ...trainingPlan().source, entryPoint });

const ESTIMATORS: readonly [job: string, plan: TrainingPlan, tags: Record<string, string>][] = [
  [
    'dist-cifar10-tf',
    plan('tensorflow', '1.13', 'ml.p3.8xlarge', {
      instances: two('ml.p3.8xlarge'),
      distribution: {
        mpi: {
          processesPerHost: 4,
          customOptions: '-verbose --NCCL_DEBUG=INFO -x OMPI_MCA_btl_vader_single_copy_mechanism=none',
        },
      },
      hyperparameters: hyperparameters({ epochs: 60, 'batch-size': 256 }),
      channels: ['train', 'validation', 'eval'].map((name) => channel(name, `s3://bucket/data/${name}`)),
    }),
    { Project: 'cifar10', TensorBoard: 'dist' },
  ],
  [
    'mnist-ps-2-1-0',
    plan('tensorflow', '2.1.0', 'ml.p2.xlarge', {
      source: source('mnist-2.py'),
      distribution: { parameterServer: true },
      channels: [channel('training', 's3://sagemaker-sample-data-us-east-1/tensorflow/mnist')],
    }),
    {},
  ],
  [
    'mnist-ps-1-15-2',
    plan('tensorflow', '1.15.2', 'ml.p2.xlarge', {
      source: source('mnist.py'),
      distribution: { parameterServer: true },
      channels: [channel('training', 's3://sagemaker-sample-data-us-east-1/tensorflow/mnist')],
    }),
    {},
  ],
  [
    'mnist-pt',
    plan('pytorch', '1.5.0', 'ml.c4.xlarge', {
      source: source('mnist.py'),
      instances: two('ml.c4.xlarge'),
      hyperparameters: hyperparameters({ epochs: 6, backend: 'gloo' }),
      channels: [channel('training', 's3://bucket/data/mnist')],
    }),
    {},
  ],
  [
    'vpc-pipe-spot',
    plan('tensorflow', '1.13', 'ml.p3.8xlarge', {
      instances: two('ml.p3.8xlarge'),
      inputMode: 'Pipe',
      metrics: [{ name: 'validation:accuracy', regex: 'val_acc: ([0-9.]+)' }],
      limits: { maxCostUsd: null, maxRunSeconds: 3600, maxWaitSeconds: 14_400 },
      spot: { maxWaitSeconds: 7200 },
      channels: [{ ...channel('train', 's3://bucket/data/train'), inputMode: 'Pipe' }],
      vpc: { subnets: ['subnet-0123456789abcdef0'], securityGroups: ['sg-0123456789abcdef0'] },
      encryptInterContainerTraffic: true,
      checkpoints: { uri: 's3://bucket/ckpt' },
    }),
    {},
  ],
];

test.each(ESTIMATORS.map(([job, planned, tags]) => ({ job, planned, tags })))(
  'the request of $job is the one that the Python SDK made',
  ({ job, planned, tags }) => {
    const request = toTrainingRequest(planned, {
      jobName: job,
      instanceType: planned.instances.types[0]!,
      sourceUri: `${BUCKET}${job}/source/sourcedir.tar.gz`,
      outputUri: BUCKET,
      tags,
    });
    expect(request).toEqual(CAPTURED[SDK]![job]);
  },
);

const START = {
  jobName: 'job',
  instanceType: 'ml.m5.xlarge',
  sourceUri: 's3://bucket/sources/d/sourcedir.tar.gz',
  outputUri: 's3://bucket/runs/r/output/',
  tags: {},
};

test('without a network the source comes as the channel code, as a file also where the data is streamed', () => {
  const isolated = toTrainingRequest(trainingPlan({ networkIsolation: true, inputMode: 'Pipe' }), START);
  expect(isolated.EnableNetworkIsolation).toBe(true);
  expect(isolated.HyperParameters['sagemaker_submit_directory']).toBe(
    '"/opt/ml/input/data/code/sourcedir.tar.gz"',
  );
  expect(isolated.InputDataConfig).toMatchObject([
    { ChannelName: 'training', InputMode: 'File' },
    {
      ChannelName: 'code',
      InputMode: 'File',
      DataSource: {
        S3DataSource: {
          S3DataType: 'S3Prefix',
          S3Uri: START.sourceUri,
          S3DataDistributionType: 'FullyReplicated',
        },
      },
    },
  ]);
  const [, copied] = toTrainingRequest(trainingPlan({ networkIsolation: true }), START).InputDataConfig;
  expect(copied).not.toHaveProperty('InputMode');
});

test('the number of processes of mpirun is left to the toolkit where the plan has none', () => {
  const mpi = { processesPerHost: null, customOptions: '' };
  const { HyperParameters } = toTrainingRequest(trainingPlan({ distribution: { mpi } }), START);
  expect(HyperParameters).toMatchObject({ sagemaker_mpi_enabled: 'true' });
  expect(HyperParameters).not.toHaveProperty('sagemaker_mpi_num_of_processes_per_host');
});

test.each([
  ['tensorflow', '1.14.0', undefined],
  ['tensorflow', '1.15', true],
  ['pytorch', '1.2.0', undefined],
  ['pytorch', '1.3', true],
] as const)('%s %s sends its metrics to the time series: %s', (framework, version, isSent) => {
  const image = { ...trainingPlan().image, framework, version };
  const { AlgorithmSpecification } = toTrainingRequest(trainingPlan({ image }), START);
  expect(AlgorithmSpecification.EnableSageMakerMetricsTimeSeries).toBe(isSent);
});

test('torchrun is asked for with the instance type, as the Python SDK does', () => {
  expect(
    toTrainingRequest(trainingPlan({ distribution: { torchDistributed: true } }), START).HyperParameters,
  ).toMatchObject({
    sagemaker_torch_distributed_enabled: 'true',
    sagemaker_instance_type: '"ml.m5.xlarge"',
  });
});

test('a model_dir of the settings counts, and names of the toolkit are its own', () => {
  const { HyperParameters } = toTrainingRequest(
    trainingPlan({
      image: { ...trainingPlan().image, framework: 'tensorflow' },
      hyperparameters: { model_dir: '"/opt/ml/model"', sagemaker_program: '"other.py"' },
    }),
    START,
  );
  expect(HyperParameters).toMatchObject({ model_dir: '"/opt/ml/model"', sagemaker_program: '"train.py"' });
});

test('volumes of machines with disks of their own take no key, outputs do', () => {
  const instances = { ...trainingPlan().instances, kmsKeyArn: 'arn:key' };
  const onDisks = toTrainingRequest(trainingPlan({ instances }), { ...START, instanceType: 'ml.g5.xlarge' });
  expect(onDisks.ResourceConfig).not.toHaveProperty('VolumeKmsKeyId');
  expect(onDisks.OutputDataConfig.KmsKeyId).toBe('arn:key');
  expect(toTrainingRequest(trainingPlan({ instances }), START).ResourceConfig.VolumeKmsKeyId).toBe('arn:key');
});

test('regions without Debugger are asked for none', () => {
  const request = toTrainingRequest(trainingPlan({ region: 'eu-south-2' }), START);
  expect(request).not.toHaveProperty('DebugHookConfig');
  expect(request).not.toHaveProperty('ProfilerConfig');
});

test('members of a channel that are not the defaults are sent', () => {
  const [only] = trainingPlan().channels;
  const { InputDataConfig, Environment } = toTrainingRequest(
    trainingPlan({
      environment: { LEVEL: '1' },
      channels: [
        {
          ...only!,
          s3DataType: 'AugmentedManifestFile',
          attributes: ['image-ref', 'label'],
          shuffleSeed: 7,
          inputMode: 'Pipe',
          contentType: 'application/x-recordio',
          compression: 'Gzip',
          recordWrapper: 'RecordIO',
        },
      ],
    }),
    START,
  );
  expect(Environment).toEqual({ LEVEL: '1' });
  expect(InputDataConfig).toMatchObject([
    {
      DataSource: { S3DataSource: { AttributeNames: ['image-ref', 'label'] } },
      ContentType: 'application/x-recordio',
      CompressionType: 'Gzip',
      RecordWrapperType: 'RecordIO',
      InputMode: 'Pipe',
      ShuffleConfig: { Seed: 7 },
    },
  ]);
});
