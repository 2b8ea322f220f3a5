import {
  DescribeTransformJobCommand,
  SageMakerClient,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import burst from '../../events/accept-drop.burst.json' with { type: 'json' };
import aborted from '../../events/clean-up-run.aborted.json' with { type: 'json' };
import { handler as acceptDrop } from '../../functions/accept-drop.ts';
import { handler as cleanUpRun } from '../../functions/clean-up-run.ts';
import { handler as sweep } from '../../functions/sweep.ts';
import {
  BUCKET,
  CONTEXT,
  FAILURE_MACHINE,
  setFunctionEnvironment,
  STATE_MACHINE,
} from '../support/function-environment.ts';
import { jobRecord } from '../support/job-record.ts';
import { type MockS3, mockS3, refusal } from '../support/mock-s3.ts';

const RUN = 'clothes/monday/000001';
let s3: MockS3;
const sfn = mockClient(SFNClient);
const sagemaker = mockClient(SageMakerClient);
const sns = mockClient(SNSClient);

beforeAll(() => {
  setFunctionEnvironment();
  s3 = mockS3();
  // What fails is logged as an error on purpose.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
beforeEach(() => {
  s3.objects.clear();
  for (const mock of [sfn, sagemaker, sns]) mock.reset();
  sfn.on(StartExecutionCommand).resolves({ executionArn: 'arn:execution', startDate: new Date() });
  sns.on(PublishCommand).resolves({ MessageId: 'm-1' });
});
afterAll(() => {
  s3.restore();
  for (const mock of [sfn, sagemaker, sns]) mock.restore();
  vi.restoreAllMocks();
});

it('accept-drop starts one execution for a batch, named for the run', async () => {
  expect(await acceptDrop(burst, CONTEXT)).toEqual({ batchItemFailures: [] });
  const calls = sfn.commandCalls(StartExecutionCommand);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.args[0].input).toEqual({
    stateMachineArn: STATE_MACHINE,
    name: expect.stringMatching(/^clothes-monday-000001-[0-9a-f]{16}$/),
    input: `{"schema":1,"run":"${RUN}"}`,
  });
  expect(s3.keys(`${BUCKET}/`)).toEqual([`${BUCKET}/state/clothes/monday/pulse`]);
});

it('accept-drop gives back what Step Functions was too busy for', async () => {
  sfn.on(StartExecutionCommand).rejects(refusal('ThrottlingException', 400));
  const { batchItemFailures } = await acceptDrop(burst, CONTEXT);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
    burst.Records.map(({ messageId }) => messageId),
  );
});

it('accept-drop gives back a message that is not an upload, and takes the others', async () => {
  const strange = { messageId: 'strange', body: '{"hello":1}' };
  const { batchItemFailures } = await acceptDrop({ Records: [strange, ...burst.Records] }, CONTEXT);
  expect(batchItemFailures).toEqual([{ itemIdentifier: 'strange' }]);
  expect(sfn.commandCalls(StartExecutionCommand)).toHaveLength(1);
});

it('clean-up-run abandons what a canceled execution held, stops its job, and has it reported', async () => {
  s3.put(`${BUCKET}/state/${RUN}/freezing`, '{}');
  const record = { ...jobRecord({ run: RUN }), status: 'InProgress' };
  s3.put(`${BUCKET}/runs/${RUN}/jobs/1/job.json`, JSON.stringify(record));
  sagemaker.on(DescribeTransformJobCommand).resolves({
    TransformJobArn: 'arn:job',
    TransformJobStatus: 'InProgress',
    ModelName: 'm',
    CreationTime: new Date(),
    TransformResources: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
    TransformInput: { DataSource: { S3DataSource: { S3DataType: 'ManifestFile', S3Uri: 's3://b/x' } } },
  });
  expect(await cleanUpRun(aborted, CONTEXT)).toEqual({
    run: RUN,
    abandoned: true,
    stopped: [record.jobName],
  });
  expect(sagemaker.commandCalls(StopTransformJobCommand)).toHaveLength(1);
  const [started, ...more] = sfn.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input);
  expect(more).toEqual([]);
  expect(started).toMatchObject({
    stateMachineArn: FAILURE_MACHINE,
    name: expect.stringMatching(/^\d{4}-\d\d-\d\d-clothes-monday-000001-[0-9a-f]{16}$/),
  });
  expect(JSON.parse(started?.input ?? '')).toMatchObject({
    run: RUN,
    failure: { error: 'Canceled' },
    isMessageWritten: false,
  });
  expect(s3.json(`${BUCKET}/state/${RUN}/frozen.json`)).toMatchObject({ reason: 'canceled' });
});

it('sweep opens the generation of a drop whose execution was never started', async () => {
  s3.put(`${BUCKET}/state/clothes/monday/pulse`, '{"schema":1}');
  sfn.on(DescribeExecutionCommand).rejects(refusal('ExecutionDoesNotExist', 400));
  expect(await sweep({}, CONTEXT)).toMatchObject({ drops: 1, opened: 1, failed: 0, isWhole: true });
  expect(sfn.commandCalls(StartExecutionCommand)[0]?.args[0].input.input).toContain(RUN);
  expect(sfn.commandCalls(StopExecutionCommand)).toEqual([]);
});
