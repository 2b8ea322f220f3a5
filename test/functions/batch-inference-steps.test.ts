import { readFileSync } from 'node:fs';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DescribeModelCommand,
  DescribeTransformJobCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { handler as checkTransform } from '../../functions/check-transform.ts';
import { handler as foldPredictions } from '../../functions/fold-predictions.ts';
import { handler as notify } from '../../functions/notify.ts';
import { handler as planRun } from '../../functions/plan-run.ts';
import { handler as prepareModel } from '../../functions/prepare-model.ts';
import { handler as reconcileOutputs } from '../../functions/reconcile-outputs.ts';
import { handler as settleDrop } from '../../functions/settle-drop.ts';
import { handler as startTransform } from '../../functions/start-transform.ts';
import { handler as writeReport } from '../../functions/write-report.ts';
import { BUCKET, CONTEXT, setFunctionEnvironment, STATE_MACHINE } from '../support/function-environment.ts';
import { type MockS3, mockS3, refusal } from '../support/mock-s3.ts';

const run = 'clothes/monday/000001';
const startedAt = '2026-03-02T09:15:07.120Z';
const executionArn = `${STATE_MACHINE.replace(':stateMachine:', ':execution:')}:x`;
const KEYS = ['0_trouser.png', '1_bag.png'];
const modelFile = (name: string) => readFileSync(`examples/fashion-mnist/${name}`);

let s3: MockS3;
const sagemaker = mockClient(SageMakerClient);
const sfn = mockClient(SFNClient);
const sns = mockClient(SNSClient);
const logs = mockClient(CloudWatchLogsClient);

beforeEach(() => {
  setFunctionEnvironment();
  s3 = mockS3();
  s3.put(`${BUCKET}/pipelines/clothes/pipeline.json`, modelFile('pipeline.json'));
  s3.put(`${BUCKET}/pipelines/clothes/model.tar.gz`, modelFile('model.tar.gz'));
  for (const key of KEYS) s3.put(`${BUCKET}/incoming/clothes/monday/${key}`, 'image', new Date(startedAt));
  s3.put(`${BUCKET}/state/clothes/monday/pulse`, '{"schema":1}', new Date(startedAt));
  sagemaker.on(CreateModelCommand).resolves({ ModelArn: 'arn:model' });
  sagemaker.on(CreateTransformJobCommand).resolves({ TransformJobArn: 'arn:job' });
  sagemaker.on(DescribeTransformJobCommand).callsFake(describeJob('InProgress'));
  sfn.on(DescribeExecutionCommand).resolves({ status: 'RUNNING', startDate: new Date(startedAt) });
  sns.on(PublishCommand).resolves({ MessageId: 'm-1' });
});
afterEach(() => {
  s3.restore();
  for (const client of [sagemaker, sfn, sns, logs]) client.reset();
});

/** The steps of a run, in the order of the state machine. */
const STEPS = {
  SettleDrop: () => settleDrop({ run, executionArn, startedAt }, CONTEXT),
  PlanRun: () => planRun({ run }, CONTEXT),
  PrepareModel: () => prepareModel({ run }, CONTEXT),
  StartTransform: () => startTransform({ run, attempt: 1, poll: 0, bundled: 0 }, CONTEXT),
  async CheckTransform() {
    KEYS.forEach((key, at) => s3.put(`${BUCKET}/runs/${run}/predictions/${key}.out`, answerOf(1 + 2 * at)));
    sagemaker.on(DescribeTransformJobCommand).callsFake(describeJob('Completed'));
    const input = { run, attempt: 1, poll: 1 };
    return checkTransform(input, CONTEXT);
  },
  ReconcileOutputs: () => reconcileOutputs({ run, attempt: 1 }, CONTEXT),
  FoldPredictions: () => foldPredictions(s3.json(`${BUCKET}/runs/${run}/shards.json`)[0], CONTEXT),
  WriteReport: () => writeReport({ run, executionArn, startedAt }, CONTEXT),
  Notify: () => notify({ run, status: 'completed' }, CONTEXT),
};

/** Takes all steps up to this one; its answer. */
async function upTo(last: keyof typeof STEPS): Promise<any> {
  for (const [name, step] of Object.entries(STEPS)) {
    const answer = await step();
    if (name === last) return answer;
  }
}

/** What the example's model answers for one image. */
function answerOf(predicted: number): string {
  return JSON.stringify({
    predictions: [Array.from({ length: 10 }, (_, at) => (at === predicted ? 0.91 : 0.01))],
  });
}

const jobName = (): string => s3.json(`${BUCKET}/runs/${run}/jobs/1/job.json`).jobName;
const describeJob =
  (TransformJobStatus: 'InProgress' | 'Completed') =>
  ({ TransformJobName = '' }) => ({
    TransformJobName,
    TransformJobStatus,
    TransformJobArn: `arn:aws:sagemaker:us-east-1:000000000000:transform-job/${TransformJobName}`,
    ModelName: 'model',
    TransformResources: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
    TransformInput: {
      DataSource: { S3DataSource: { S3DataType: 'ManifestFile', S3Uri: `s3://${BUCKET}/x` } },
    },
    CreationTime: new Date(startedAt),
    TransformStartTime: new Date(),
    ...(TransformJobStatus === 'Completed' && { TransformEndTime: new Date() }),
  });

it('SettleDrop freezes a quiet drop', async () => {
  expect(await upTo('SettleDrop')).toEqual({ status: 'frozen', objects: 2, bytes: 10 });
  expect(s3.json(`${BUCKET}/state/${run}/freezing`)).toMatchObject({ schema: 1, run, executionArn });
});

it('PlanRun plans one job, with the role and bucket of its environment', async () => {
  expect(await upTo('PlanRun')).toMatchObject({ status: 'planned', jobs: 1, objects: 2 });
  expect(s3.json(`${BUCKET}/runs/${run}/plan.json`)).toMatchObject({
    schema: 1,
    run,
    model: { executionRoleArn: 'arn:aws:iam::000000000000:role/model' },
    input: { bucket: BUCKET, prefix: 'incoming/clothes/monday/' },
  });
});

it('PrepareModel reuses the model that an earlier run of the pipeline made', async () => {
  await upTo('PlanRun');
  const plan = s3.json(`${BUCKET}/runs/${run}/plan.json`);
  const { name, sha256, imageUri, environment, executionRoleArn } = plan.model;
  sagemaker
    .on(CreateModelCommand)
    .rejects(
      refusal(
        'ValidationException',
        400,
        `Cannot create already existing model "arn:aws:sagemaker:…/${name}".`,
      ),
    );
  sagemaker.on(DescribeModelCommand, { ModelName: name }).resolves({
    ModelArn: `arn:aws:sagemaker:us-east-1:000000000000:model/${name}`,
    ExecutionRoleArn: executionRoleArn,
    EnableNetworkIsolation: true,
    PrimaryContainer: {
      Image: imageUri,
      ModelDataUrl: `s3://${BUCKET}/models/${sha256}/model.tar.gz`,
      Environment: environment,
    },
  });
  expect(await prepareModel({ run }, CONTEXT)).toEqual({ modelName: name });
  expect(s3.objects.has(`${BUCKET}/models/${sha256}/model.tar.gz`)).toBe(true);
});

it('StartTransform fails for throttling under the name that the state machine retries', async () => {
  await upTo('PrepareModel');
  sagemaker.on(CreateTransformJobCommand).rejects(refusal('ThrottlingException', 400, 'Rate exceeded'));
  await expect(startTransform({ run, attempt: 1, poll: 0, bundled: 0 }, CONTEXT)).rejects.toMatchObject({
    name: 'TransformThrottled',
  });
});

it('StartTransform asks for the job of the plan, and looks whether its execution goes on', async () => {
  const answer = await upTo('StartTransform');
  expect(answer).toMatchObject({ status: 'started', jobName: jobName() });
  expect(sfn.commandCalls(DescribeExecutionCommand)).toHaveLength(1);
  const [call] = sagemaker.commandCalls(CreateTransformJobCommand);
  expect(call?.args[0].input).toMatchObject({
    TransformJobName: jobName(),
    TransformInput: { ContentType: 'application/x-image', SplitType: 'None' },
    TransformOutput: { S3OutputPath: `s3://${BUCKET}/runs/${run}/predictions` },
    TransformResources: { InstanceType: 'ml.m5.xlarge', InstanceCount: 1 },
  });
});

it('CheckTransform counts outputs while the job runs', async () => {
  await upTo('StartTransform');
  const [first = ''] = KEYS;
  s3.put(`${BUCKET}/runs/${run}/predictions/${first}.out`, answerOf(1));
  const input = { run, attempt: 1, poll: 0 };
  expect(await checkTransform(input, CONTEXT)).toEqual({
    status: 'running',
    waitSeconds: 1,
    poll: 1,
    progress: { done: 1, total: 2, approximate: false },
  });
});

it('CheckTransform tells that the job has ended', async () => {
  expect(await upTo('CheckTransform')).toEqual({ status: 'ended', jobStatus: 'Completed' });
});

it('ReconcileOutputs finds every output and cuts a shard', async () => {
  expect(await upTo('ReconcileOutputs')).toEqual({
    next: 'fold',
    shards: 1,
    inputs: 2,
    missing: 0,
    isRound: false,
  });
});

it('FoldPredictions tallies the shard', async () => {
  expect(await upTo('FoldPredictions')).toEqual({ shard: 0, records: 2 });
  expect(s3.keys(`${BUCKET}/runs/${run}/rows/`)).toHaveLength(1);
});

it('WriteReport counts what was right', async () => {
  const answer = await upTo('WriteReport');
  expect(answer).toMatchObject({ status: 'completed', gate: 'none' });
  expect(s3.json(`${BUCKET}/${answer.report}`)).toMatchObject({ total: 2, correct: 1, accuracy: 0.5 });
});

it('Notify sends one message, however often it is called', async () => {
  expect(await upTo('Notify')).toEqual({ messageId: 'm-1' });
  expect(await notify({ run, status: 'completed' }, CONTEXT)).toEqual({ messageId: 'm-1' });
  const calls = sns.commandCalls(PublishCommand);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.args[0].input).toMatchObject({
    TopicArn: 'arn:aws:sns:us-east-1:000000000000:inferdrop-dev',
    MessageAttributes: { status: { DataType: 'String', StringValue: 'completed' } },
  });
});

it('the report of a run is counted by status and pipeline, and its figures by pipeline', async () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await upTo('WriteReport');
  const lines = written.mock.calls.map(([text]) => String(text)).filter((text) => text.includes('"_aws"'));
  written.mockRestore();
  expect(lines).toHaveLength(1);
  const { _aws, ...measured } = JSON.parse(lines[0]!);
  expect(_aws.CloudWatchMetrics.map(({ Namespace, Dimensions }: any) => [Namespace, Dimensions])).toEqual([
    ['inferdrop/dev', [['pipeline', 'status'], ['status']]],
    ['inferdrop/dev', [['pipeline']]],
  ]);
  expect(measured).toMatchObject({ run, pipeline: 'clothes', Runs: 1, Inputs: 2, InputErrors: 0 });
  expect(measured.RunSeconds).toBeGreaterThan(0);
});
