import {
  DescribeTrainingJobCommand,
  DescribeTransformJobCommand,
  ListTrainingJobsCommand,
  ListTransformJobsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, it } from 'vitest';
import { runningWork } from '../../src/aws/sagemaker/running-work.ts';

const sagemaker = mockClient(SageMakerClient);

beforeEach(() => {
  sagemaker.reset();
});

it('finds transform jobs that run or are being stopped, over all pages', async () => {
  const page = (name: string, NextToken?: string) => ({
    TransformJobSummaries: [
      {
        TransformJobName: name,
        TransformJobArn: 'a',
        TransformJobStatus: undefined,
        CreationTime: undefined,
      },
    ],
    NextToken,
  });
  sagemaker
    .on(ListTransformJobsCommand, { NameContains: 'shapes', StatusEquals: 'InProgress' })
    .resolvesOnce(page('one', 'more'))
    .resolvesOnce(page('two'))
    .on(ListTransformJobsCommand, { NameContains: 'shapes', StatusEquals: 'Stopping' })
    .resolves(page('three'))
    .on(DescribeTransformJobCommand)
    .resolves({
      TransformResources: { InstanceType: 'ml.m5.large', InstanceCount: 2 },
      TransformOutput: { S3OutputPath: 's3://b/out' },
    });
  const found = await runningWork().transformJobs('shapes');
  expect(found.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  expect(found[0]).toEqual({
    kind: 'transform',
    name: 'one',
    instanceType: 'ml.m5.large',
    instanceCount: 2,
    outputUri: 's3://b/out',
  });
  const tokens = sagemaker.commandCalls(ListTransformJobsCommand).map(({ args }) => args[0].input.NextToken);
  expect(tokens).toEqual([undefined, 'more', undefined]);
});

it('finds training jobs alike', async () => {
  sagemaker
    .on(ListTrainingJobsCommand, { StatusEquals: 'InProgress' })
    .resolves({})
    .on(ListTrainingJobsCommand, { StatusEquals: 'Stopping' })
    .resolves({
      TrainingJobSummaries: [
        {
          TrainingJobName: 'last',
          TrainingJobArn: 'a',
          CreationTime: undefined,
          TrainingJobStatus: 'Stopping',
        },
      ],
    })
    .on(DescribeTrainingJobCommand)
    .resolves({
      ResourceConfig: { InstanceType: 'ml.m5.large', InstanceCount: 1, VolumeSizeInGB: 30 },
      OutputDataConfig: { S3OutputPath: 's3://b/trained' },
    });
  expect(await runningWork().trainingJobs('shapes')).toEqual([
    {
      kind: 'training',
      name: 'last',
      instanceType: 'ml.m5.large',
      instanceCount: 1,
      outputUri: 's3://b/trained',
    },
  ]);
});
