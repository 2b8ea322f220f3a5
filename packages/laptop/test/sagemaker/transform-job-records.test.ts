import { ListTagsCommand, ListTransformJobsCommand } from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localTransforms } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localTransforms>>;
beforeAll(async () => {
  stack = await localTransforms(({ body }) => (body === 'bad' ? { status: 400 } : 'ok'));
  stack.objects.put('in/a', 'a');
  stack.objects.put('bad/b', 'bad');
});
afterAll(() => stack.close());

test('what was not given is described with its default, or not at all', async () => {
  const {
    BatchStrategy: _b,
    MaxConcurrentTransforms: _c,
    MaxPayloadInMB: _p,
    ...job
  } = await stack.run('Echo', {
    BatchStrategy: undefined,
    MaxConcurrentTransforms: undefined,
    MaxPayloadInMB: undefined,
    Environment: {},
  });
  expect([_b, _c, _p]).toEqual([undefined, undefined, undefined]);
  expect(job).toMatchObject({
    TransformJobArn: 'arn:aws:sagemaker:us-east-1:000000000000:transform-job/echo',
    TransformJobStatus: 'Completed',
    DataProcessing: { InputFilter: '$', JoinSource: 'None', OutputFilter: '$' },
    TransformInput: { CompressionType: 'None', SplitType: 'None', ContentType: 'application/x-image' },
    TransformOutput: { AssembleWith: 'None', KmsKeyId: '', S3OutputPath: 's3://bucket/out' },
    Environment: {},
    CreationTime: new Date(stack.clock.now()),
    TransformStartTime: new Date(stack.clock.now()),
    TransformEndTime: new Date(stack.clock.now()),
  });
});

test('jobs are listed newest first, filtered by status and time', async () => {
  await stack.run('list-1');
  await stack.clock.advance(60_000);
  const between = new Date(stack.clock.now() - 30_000);
  await stack.run('list-2', {
    TransformInput: { DataSource: { S3DataSource: { S3DataType: 'S3Prefix', S3Uri: 's3://bucket/bad/' } } },
  });
  const list = async (filter: Partial<ConstructorParameters<typeof ListTransformJobsCommand>[0]>) => {
    const answer = await stack.client.send(
      new ListTransformJobsCommand({ NameContains: 'list-', ...filter }),
    );
    return answer.TransformJobSummaries?.map(({ TransformJobName }) => TransformJobName);
  };
  expect(await list({})).toEqual(['list-2', 'list-1']);
  expect(await list({ SortBy: 'Status', SortOrder: 'Ascending' })).toEqual(['list-1', 'list-2']);
  expect(await list({ StatusEquals: 'Failed' })).toEqual(['list-2']);
  expect(await list({ CreationTimeBefore: between })).toEqual(['list-1']);
  expect(await list({ LastModifiedTimeAfter: between })).toEqual(['list-2']);
});

test('a job has its tags', async () => {
  const Tags = [{ Key: 'run', Value: 'p/d/000001' }];
  const { TransformJobArn: ResourceArn } = await stack.run('tagged', { Tags });
  expect((await stack.client.send(new ListTagsCommand({ ResourceArn }))).Tags).toEqual(Tags);
});

test('every change of status is an event on the bus', async () => {
  await stack.run('events', { Tags: [{ Key: 'run', Value: 'x' }] });
  const events = stack.events.filter(({ detail }) => detail['TransformJobName'] === 'events');
  expect(events.map(({ detail }) => detail['TransformJobStatus'])).toEqual(['InProgress', 'Completed']);
  expect(events[1]).toMatchObject({
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Transform Job State Change',
    resources: ['arn:aws:sagemaker:us-east-1:000000000000:transform-job/events'],
    detail: { ModelName: 'model', TransformEndTime: stack.clock.now(), Tags: { run: 'x' } },
  });
});
