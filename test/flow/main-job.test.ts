import { afterAll, beforeAll, expect, it } from 'vitest';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../support/a-run.ts';
import { askApi } from '../support/ask-api.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

// What `npm test` runs on the real stack: batch-inference, endpoint and report-failure, once each. `npm run test:flow` has the rest.

let laptop: Laptop;
let images: Record<string, Uint8Array>;
beforeAll(async () => {
  laptop = await startLaptop();
  images = await laptop.images(40);
});
afterAll(() => laptop.close());

it('turns dropped images into predictions, a report and one message', async () => {
  await laptop.givePipeline('clothes', (config) => {
    config.gate = { minAccuracy: 0.5 };
    config.endpoint = { deploy: 'when-gate-passes', instanceType: 'ml.m5.large' };
  });
  await laptop.upload('clothes', 'monday', images);

  const { report, success } = await laptop.await('clothes/monday/000001');

  expect(success).toBe(true);
  expect(report).toMatchObject({ run: 'clothes/monday/000001', status: 'completed', total: 40, errors: 0 });
  expect(report.accuracy).toBe(report.correct! / 40);
  expect(report.correct).toBeGreaterThanOrEqual(30);
  const message = await laptop.application.store.readText(
    bucketLayout.message(aRun('clothes/monday/000001')),
  );
  expect(JSON.parse(message!)).toMatchObject({ attributes: { pipeline: 'clothes', status: 'completed' } });
});

it('serves the model whose gate has passed', async () => {
  const { store, apiUrl } = laptop.application;
  await laptop.until(async () => {
    const served = await servedJson('clothes').read(store);
    return served?.status === 'in-service' ? served : undefined;
  });
  const [name, body] = Object.entries(images)[0]!;
  const url = new URL(`${apiUrl}/predict/clothes`);
  const response = await askApi({ method: 'POST', url, headers: { 'content-type': 'image/png' }, body });
  expect(response.status).toBe(200);
  const { run, predictions }: any = await response.json();
  expect(run).toBe('clothes/monday/000001');
  const outputs = bucketLayout.predictions(aRun('clothes/monday/000001'));
  const output = JSON.parse((await store.readText(`${outputs}${name}.out`))!);
  const { labels } = JSON.parse((await store.readText(bucketLayout.pipelineConfig('clothes')))!);
  expect(predictions[0].label).toBe(labels.classes[output.predictions[0].classes]);
});

it('reports a run whose execution was stopped', async () => {
  const executions = laptop.application.executions('inference');
  const arn = laptop.executionArn('stopped/d/000001');
  await laptop.givePipeline('stopped');
  await laptop.upload('stopped', 'd', await laptop.images(1), { isReady: false });
  await laptop.until(() => executions.describe(arn));
  await executions.stop(arn, { error: 'Operator', cause: 'by mistake' });

  const { report, message } = await laptop.outcome('stopped/d/000001');
  expect(report).toMatchObject({ status: 'failed', failure: { error: 'Operator', cause: 'by mistake' } });
  expect(message.attributes).toMatchObject({ pipeline: 'stopped', status: 'failed' });
});

it('inferdrop verify asks IAM about every call that a role has made', () => {
  // What is listed is put on file by RECORD_ROLE_CALLS=1, where a role should make the call.
  expect(laptop.unaskedCalls()).toEqual([]);
});
