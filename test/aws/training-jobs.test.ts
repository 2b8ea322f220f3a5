import {
  CloudWatchLogsClient,
  DescribeLogStreamsCommand,
  FilterLogEventsCommand,
  GetLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateTrainingJobCommand,
  DescribeTrainingJobCommand,
  SageMakerClient,
  StopTrainingJobCommand,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { trainingLogs } from '../../src/aws/logs/training-log.ts';
import { trainingJobs } from '../../src/aws/sagemaker/training-jobs.ts';
import { toTrainingRequest } from '../../src/training/to-training-request.ts';
import { trainingPlan } from '../support/training-documents.ts';

const sagemaker = mockClient(SageMakerClient);
const logs = mockClient(CloudWatchLogsClient);
const training = trainingJobs();
beforeEach(() => {
  sagemaker.reset();
  logs.reset();
});
const failure = (name: string, message: string) => Object.assign(new Error(message), { name });

const REQUEST = toTrainingRequest(trainingPlan(), {
  jobName: 'job-1',
  instanceType: 'ml.m5.xlarge',
  sourceUri: 's3://bucket/sources/d/sourcedir.tar.gz',
  outputUri: 's3://bucket/runs/r/output/',
  tags: { 'inferdrop:run': 'r' },
});

it('asks for a training job as it was decided', async () => {
  sagemaker.on(CreateTrainingJobCommand).resolves({ TrainingJobArn: 'arn' });
  await training.start(REQUEST);
  expect(sagemaker.commandCalls(CreateTrainingJobCommand)[0]!.args[0].input).toEqual(REQUEST);
});

it.each([
  ['ResourceInUse', failure('ResourceInUse', 'Training job names must be unique')],
  ['ResourceLimitExceeded', failure('ResourceLimitExceeded', 'The account-level service limit …')],
  ['Throttled', failure('ThrottlingException', 'Rate exceeded')],
  ['ValidationException', failure('ValidationException', '1 validation error detected: …')],
])('a refusal is %s', async (name, error) => {
  sagemaker.on(CreateTrainingJobCommand).rejects(error);
  await expect(training.start(REQUEST)).rejects.toMatchObject({ name });
});

it('describes a job with its times, phases and metrics', async () => {
  const at = new Date(0);
  sagemaker.on(DescribeTrainingJobCommand).resolves({
    TrainingJobArn: 'arn',
    TrainingJobStatus: 'Stopped',
    SecondaryStatus: 'MaxRuntimeExceeded',
    FailureReason: 'why',
    ResourceConfig: { InstanceType: 'ml.m5.xlarge', InstanceCount: 2, VolumeSizeInGB: 30 },
    CreationTime: at,
    TrainingStartTime: at,
    TrainingEndTime: at,
    TrainingTimeInSeconds: 60,
    BillableTimeInSeconds: 20,
    ModelArtifacts: { S3ModelArtifacts: 's3://b/m.tar.gz' },
    SecondaryStatusTransitions: [
      { Status: 'Starting', StartTime: at, EndTime: at, StatusMessage: 'm' },
      { Status: 'Training', StartTime: at },
    ],
    FinalMetricDataList: [{ MetricName: 'loss', Value: 0.5 }],
  });
  expect(await training.describe('job-1')).toEqual({
    name: 'job-1',
    arn: 'arn',
    status: 'Stopped',
    secondaryStatus: 'MaxRuntimeExceeded',
    failureReason: 'why',
    instanceType: 'ml.m5.xlarge',
    instanceCount: 2,
    createdAt: at,
    startedAt: at,
    endedAt: at,
    trainingSeconds: 60,
    billableSeconds: 20,
    artifact: 's3://b/m.tar.gz',
    transitions: [
      { status: 'Starting', startedAt: at, endedAt: at, message: 'm' },
      { status: 'Training', startedAt: at },
    ],
    finalMetrics: [{ name: 'loss', value: 0.5 }],
  });
});

it.each([
  failure('ResourceNotFound', 'Requested resource not found.'),
  failure('ValidationException', 'Requested resource not found.'),
])('a job that is not there has no description, and stopping it succeeds', async (error) => {
  sagemaker.on(DescribeTrainingJobCommand).rejects(error).on(StopTrainingJobCommand).rejects(error);
  expect(await training.describe('job-1')).toBeUndefined();
  await training.stop('job-1');
});

it('stopping a job that has ended succeeds; other refusals do not', async () => {
  sagemaker
    .on(StopTrainingJobCommand)
    .rejectsOnce(
      failure(
        'ValidationException',
        'The request was rejected because the training job is in status Stopped.',
      ),
    )
    .rejects(failure('AccessDeniedException', 'no'));
  await training.stop('job-1');
  await expect(training.stop('job-1')).rejects.toMatchObject({ name: 'AccessDenied' });
});

it('reads the end of the log of the first host', async () => {
  logs.on(DescribeLogStreamsCommand).resolves({ logStreams: [{ logStreamName: 'job-1/algo-1-17' }] });
  logs.on(GetLogEventsCommand).resolves({ events: [{ timestamp: 0, message: 'loss: 1\n' }] });
  expect(await trainingLogs.end('job-1', 5)).toEqual([
    { at: new Date(0), stream: 'job-1/algo-1-17', text: 'loss: 1' },
  ]);
  expect(logs.commandCalls(GetLogEventsCommand)[0]!.args[0].input).toMatchObject({
    logGroupName: '/aws/sagemaker/TrainingJobs',
    limit: 5,
    startFromHead: false,
  });
});

it('a job that has printed nothing has no log', async () => {
  logs.on(DescribeLogStreamsCommand).rejects(failure('ResourceNotFoundException', 'no such group'));
  logs.on(FilterLogEventsCommand).rejects(failure('ResourceNotFoundException', 'no such group'));
  expect(await trainingLogs.end('job-1', 5)).toEqual([]);
  expect(await Array.fromAsync(trainingLogs.all('job-1'))).toEqual([]);
});
