import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freezingMark, frozenJson } from '../../src/app/records/drop.ts';
import { endedJson } from '../../src/app/records/run.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { toRunId } from '../../src/run/run-id.ts';
import { aRun } from '../support/a-run.ts';
import { askApi } from '../support/ask-api.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

let laptop: Laptop;
beforeAll(async () => {
  laptop = await startLaptop();
});
afterAll(() => laptop.close());

/** Calls a function as its schedule does, under its own role, and returns its answer. */
async function invoke(name: string, payload: object): Promise<any> {
  const { FunctionError, Payload } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName: `inferdrop-dev-${name}`, Payload: JSON.stringify(payload) }),
  );
  const answer = Buffer.from(Payload!).toString();
  expect([FunctionError, answer]).toEqual([undefined, answer]);
  return JSON.parse(answer);
}

it('the canary drops its files and judges their run', async () => {
  const { run, outcome } = await invoke('canary', { check: 'stack' });
  expect(outcome).toBe('dropped');
  await laptop.outcome(run);
  expect(await invoke('canary', { check: 'stack' })).toEqual({ run, outcome: 'passed' });
});

it('the sweep marks runs whose executions are gone, in both kinds, and those that ended without a mark', async () => {
  const { store } = laptop.application;
  const { run } = await invoke('canary', { check: 'stack' });
  await store.delete(bucketLayout.ended(toRun(run)));
  const lost = [aRun('swept/lost/000001'), { ...aRun('swept/lost/000001'), kind: 'training' } as const];
  for (const one of lost)
    await freezingMark(one).create(store, {
      schema: 1,
      run: toRunId(one),
      executionArn: laptop.executionArn(toRunId(one)),
      at: new Date(0).toISOString(),
      isCut: false,
    });
  expect(await invoke('sweep', {})).toMatchObject({ cleaned: 3, failed: 0, isWhole: true });
  expect(await endedJson(toRun(run)).read(store)).toMatchObject({ status: 'unknown' });
  for (const one of lost) expect(await frozenJson(one).read(store)).toMatchObject({ status: 'abandoned' });
});

it('a training that the API asks for is refused without settings, and its problems are kept', async () => {
  const { store, apiUrl } = laptop.application;
  await laptop.givePipeline('asked');
  const data = `s3://${store.bucket}/incoming/inferdrop-canary/`;
  const body = Buffer.from(JSON.stringify({ data }));
  const headers = { 'content-type': 'application/json' };
  const answer = await askApi({
    method: 'POST',
    url: new URL(`${apiUrl}/pipelines/asked/trainings`),
    headers,
    body,
  });
  expect(answer.status).toBe(202);
  const { training } = (await answer.json()) as { training: string };
  const problems = await laptop.until(() => store.readText(bucketLayout.problems(toRun(training))));
  expect(problems).toContain('training');
});

it('every call is one that IAM is asked about', () => {
  expect(laptop.unaskedCalls()).toEqual([]);
});
