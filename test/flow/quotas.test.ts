import {
  ListTransformJobsCommand,
  SageMakerClient,
  StopTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../packages/laptop/kernel/clock.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aDrop } from '../support/a-run.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

/** What a new account may have: few executions at once and one instance; and S3 refuses what comes too fast. */
const LIMITS = {
  lambdaConcurrency: 10,
  transformInstances: { 'ml.m5.xlarge': 1, '*': 0 },
  sagemakerRequestsPerSecond: 5,
  s3RequestsPerSecond: 60,
};

/** The first job of this pipeline runs until it is stopped. */
const holding = new Set(['holder']);

let laptop: Laptop;
beforeAll(async () => {
  // As the template sets it for functions: this process asks the slow S3 as well.
  process.env.AWS_MAX_ATTEMPTS = '10';
  const object = (_: string, jobName: string) => (holding.has(jobName.split('-')[1]!) ? 'hang' : undefined);
  laptop = await startLaptop({ object }, undefined, { limits: LIMITS, clock: systemClock });
});
afterAll(() => laptop.close());

/** Uploads files as if they had been there: the test's own requests are not what S3 slows down. */
async function put(pipeline: string, files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const { objects } = laptop.stack;
  for (const [name, body] of [...Object.entries(files), ['_READY', ''] as const]) {
    const key = bucketLayout.dropFolder(aDrop(`${pipeline}/d`)) + name;
    await objects.write(laptop.application.bucket, key, Buffer.from(body));
  }
  return `${pipeline}/d/000001`;
}

/** The states that a run has entered and the errors of its steps so far, in order. */
async function history(run: string): Promise<{ states: string[]; errors: string[] }> {
  const command = new GetExecutionHistoryCommand({
    executionArn: laptop.executionArn(run),
    maxResults: 1000,
  });
  const { events = [] } = await new SFNClient().send(command).catch(() => ({ events: [] }));
  return {
    states: events.flatMap(({ stateEnteredEventDetails: entered }) => entered?.name ?? []),
    errors: events.flatMap(({ taskFailedEventDetails: failed }) => failed?.error ?? []),
  };
}

it('the example passes in an account with 10 executions at once, though S3 asks to slow down', async () => {
  await laptop.givePipeline('clothes');
  const run = await put('clothes', await laptop.images(1000));
  const { report, success } = await laptop.await(run);
  expect(success).toBe(true);
  expect(report).toMatchObject({ status: 'completed', total: 1000, errors: 0 });
});

it('a run waits for the instance that another one has, and then passes', async () => {
  const images = await laptop.images(5);
  for (const name of ['holder', 'waiter']) await laptop.givePipeline(name);
  const held = await put('holder', images);
  await laptop.until(async () => (await history(held)).states.includes('CheckTransform') || undefined);
  const waiting = await put('waiter', images);
  await laptop.until(async () => (await history(waiting)).states.includes('WaitForHardware') || undefined);

  holding.clear();
  const sagemaker = new SageMakerClient();
  const { TransformJobSummaries: [job] = [] } = await sagemaker.send(
    new ListTransformJobsCommand({ NameContains: 'holder', StatusEquals: 'InProgress' }),
  );
  await sagemaker.send(new StopTransformJobCommand({ TransformJobName: job!.TransformJobName }));

  for (const run of [waiting, held]) {
    const { report } = await laptop.await(run);
    expect(report).toMatchObject({ status: 'completed', total: 5, errors: 0 });
  }
});

it('runs that ask for Lambda at once are throttled, and each ends as it would alone', async () => {
  const images = await laptop.images(1);
  const pipelines = Array.from({ length: 14 }, (_, index) => `crowd${index}`);
  // They are planned, refused and reported, which needs no instance.
  for (const name of pipelines) await laptop.givePipeline(name, (config) => (config.refuse = 'me'));
  const runs = await Promise.all(pipelines.map((name) => put(name, images)));
  for (const run of runs) expect((await laptop.outcome(run)).report.status).toBe('refused');
  const errors = (await Promise.all(runs.map(history))).flatMap((one) => one.errors);
  expect(errors).toContain('Lambda.TooManyRequestsException');
});
