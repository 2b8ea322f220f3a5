import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { ListModelsCommand, ListTransformJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import type { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { askApi } from '../support/ask-api.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let laptop: Laptop;
/** What each image shows, by its name. */
let truths: readonly (readonly [file: string, label: string])[];

const toCsv = (labels: readonly (readonly [string, string])[]): string =>
  ['key,label', ...labels.map(([file, label]) => `${file},${label}`), ''].join('\n');

onSharedLaptop(async (shared) => {
  laptop = shared;
  const images = await laptop.images(6);
  truths = Object.keys(images).map((file) => [file, /_(.+)\.png$/.exec(file)![1]!]);
  const truth = { from: 'file', path: 'labels.csv' };
  await laptop.givePipeline('mislabeled', (config) => {
    config.labels.truth = truth;
    config.gate = { minAccuracy: 0.9, minInputs: 1 };
    config.report = { baseline: 'last-passed' };
  });
  await laptop.givePipeline('eleven', (config) => {
    config.labels.truth = truth;
    config.labels.classes.push('hat');
    config.gate = null;
  });
  await laptop.givePipeline('later', (config) => {
    config.labels.truth = truth;
    config.gate = { minAccuracy: 0.9, minInputs: 1, confidence: null };
    config.endpoint = { deploy: 'when-gate-passes', type: 'lambda' };
  });
  await laptop.givePipeline('sites', (config) => {
    config.labels.truth = truth;
    config.report = {
      slices: [
        { from: 'folder', level: 1, name: 'site' },
        { from: 'file', column: 'shift', name: 'shift' },
      ],
    };
    config.gate = { minAccuracy: 0.5, slices: { 'site=B': { minAccuracy: 0.9, minInputs: 2 } } };
  });
  // Two labels of the six are wrong.
  const wrong = truths.map(([file, label], at) => [file, at < 2 ? 'bag' : label] as const);
  await laptop.upload('mislabeled', 'monday', { 'labels.csv': toCsv(wrong), ...images });
  await laptop.upload('eleven', 'monday', { 'labels.csv': toCsv(truths), ...images });
  await laptop.upload('later', 'monday', images);
  await laptop.upload('later', 'alone', { 'labels.csv': toCsv(truths) });
  // Four images at A, two at B; one of those at B has a wrong label. Every second one was taken by night.
  const placed = truths.map(([file, label], at) => ({
    key: `${at < 4 ? 'A' : 'B'}/${file}`,
    line: `${at < 4 ? 'A' : 'B'}/${file},${at === 5 ? 'bag' : label},${at % 2 === 0 ? 'day' : 'night'}`,
    body: images[file]!,
  }));
  await laptop.upload('sites', 'monday', {
    'labels.csv': ['key,label,shift', ...placed.map(({ line }) => line), ''].join('\n'),
    ...Object.fromEntries(placed.map(({ key, body }) => [key, body])),
  });
});

async function command(...args: string[]): Promise<{ code: number; text: string }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal);
  return { code, text: terminal.lines.join('\n') };
}

/** What SageMaker has been asked to make for a pipeline so far. */
async function madeBySageMaker(pipeline: string): Promise<readonly (string | undefined)[]> {
  const sagemaker = new SageMakerClient({});
  const { TransformJobSummaries = [] } = await sagemaker.send(
    new ListTransformJobsCommand({ MaxResults: 100 }),
  );
  const { Models = [] } = await sagemaker.send(new ListModelsCommand({ MaxResults: 100 }));
  return [
    ...TransformJobSummaries.map((job) => job.TransformJobName),
    ...Models.map((model) => model.ModelName),
  ].filter((name) => name?.startsWith(`inferdrop-${pipeline}-`));
}

/** The states that a run's execution has entered, in order. */
async function statesOf(run: string): Promise<readonly (string | undefined)[]> {
  const asked = new GetExecutionHistoryCommand({ executionArn: laptop.executionArn(run), maxResults: 1_000 });
  const { events = [] } = await new SFNClient({}).send(asked);
  return events.flatMap(({ stateEnteredEventDetails: entered }) =>
    entered === undefined ? [] : [entered.name],
  );
}

it('wrong labels are replaced, and the run is scored again: no call of SageMaker, accuracy as counted by hand', async () => {
  const { report: before } = await laptop.outcome('mislabeled/monday/000001');
  // The model is right about all six images.
  expect(before).toMatchObject({ total: 6, correct: 4, gate: { verdict: 'failed' } });
  const made = await madeBySageMaker('mislabeled');
  expect(made).not.toEqual([]);
  const folder = temporaryFolder('rescore-');
  const file = path.join(folder, 'labels.csv');
  await writeFile(file, toCsv(truths));

  const { code, text } = await command('rescore', 'mislabeled/monday/000001', '--labels', file, '--wait');

  expect(text).toContain('labels: incoming/mislabeled/monday/labels.csv replaces the one of');
  expect(code).toBe(0);
  const run = 'mislabeled/monday/000001s1';
  const { report, message, jobs } = await laptop.outcome(run);
  expect(report).toMatchObject({
    status: 'completed',
    total: 6,
    correct: 6,
    accuracy: 1,
    rescoreOf: before.run,
    costUsd: 0,
    jobs: [],
    gate: { verdict: 'passed' },
  });
  expect(jobs).toEqual([]);
  expect(message.body).toContain('passed');
  expect(await madeBySageMaker('mislabeled')).toEqual(made);
  const states = await statesOf(run);
  expect(states).toEqual(
    expect.arrayContaining(['PlanRun', 'ReconcileOutputs', 'FoldPredictions', 'WriteReport', 'Notify']),
  );
  for (const state of states) expect(state).not.toMatch(/Model|Transform/);
  expect((await command('runs', '--pipeline', 'mislabeled')).text).toContain(`${run} (rescore of 000001)`);
});

it('labels that come a week later judge the predictions that waited for them: no job, and no endpoint', async () => {
  const { report: before } = await laptop.outcome('later/monday/000001');
  expect(before).toMatchObject({ total: 6, accuracy: null, gate: { verdict: 'none' } });
  expect(before.notes).toContainEqual(expect.stringMatching(/^labels\.csv is not there.*later\/monday/));
  const made = await madeBySageMaker('later');

  await laptop.upload('later', 'monday', { 'labels.csv': toCsv(truths) });

  const run = 'later/monday/000002';
  const { report, message, jobs } = await laptop.outcome(run);
  // Somebody who had seen the answers may have given them: they act only if pipeline.json says that they are outcomes.
  expect(report).toMatchObject({ correct: 6, rescoreOf: before.run, gate: { verdict: 'none' } });
  expect(report.notes).toContainEqual(expect.stringContaining('deploy nothing automatically'));
  expect([jobs, message.body]).toEqual([[], expect.stringContaining('no verdict')]);
  expect(await madeBySageMaker('later')).toEqual(made);
  expect(await statesOf(run)).not.toContain('DeployEndpoint');
});

it('labels without any input are refused with a remedy', async () => {
  const { report, message } = await laptop.outcome('later/alone/000001');
  expect(report).toMatchObject({ status: 'refused', problems: [{ file: 'labels.csv' }] });
  expect(message.body).toContain('labels.csv came without any input');
});

it('a run is scored again over the API, and not for a caller without a signature', async () => {
  const { outputs } = laptop.stack.find('inferdrop-dev');
  const apiUrl = outputs.find(({ key }) => key === 'ApiUrl')!.value;
  const ask = async (run: string, signed = true) => {
    const url = new URL(`${apiUrl}/runs/${run}/rescores`);
    return signed ? askApi({ method: 'POST', url }) : fetch(url, { method: 'POST' });
  };
  const made = await madeBySageMaker('mislabeled');
  expect((await ask('mislabeled/monday/000001', false)).status).toBe(403);
  // By the same labels and settings it is there already, from the test before.
  const equal = await ask('mislabeled/monday/000001');
  expect([equal.status, await equal.json()]).toEqual([200, { run: 'mislabeled/monday/000001s1' }]);
  await laptop.upload('mislabeled', 'monday', { 'labels.csv': `${toCsv(truths)}\n` });
  const answers = await Promise.all([1, 2, 3].map(() => ask('mislabeled/monday/000001')));
  const started = { run: 'mislabeled/monday/000001s2' };
  expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual([started, started, started]);
  // One started it, unless its answer came too late for the gateway, and asking again found it there.
  expect(answers.filter(({ status }) => status === 202).length).toBeLessThanOrEqual(1);
  const { report } = await laptop.outcome('mislabeled/monday/000001s2');
  expect(report).toMatchObject({ status: 'completed', correct: 6, rescoreOf: 'mislabeled/monday/000001' });
  expect(await madeBySageMaker('mislabeled')).toEqual(made);
  const unknown = await ask('mislabeled/tuesday/000001');
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    expect.objectContaining({ type: 'urn:inferdrop:problem:unknown-run' }),
  ]);
});

it('a later run is compared with the rescored one, which passed', async () => {
  expect((await command('rerun', 'mislabeled/monday/000001', '--wait')).code).toBe(0);
  const { report } = await laptop.outcome('mislabeled/monday/000001r2');
  expect(report.comparison).toMatchObject({ baseline: 'mislabeled/monday/000001s2', answered: 6 });
});

it('a run that failed after its job was paid for is scored once its classes are right', async () => {
  const { report: failed, message } = await laptop.outcome('eleven/monday/000001');
  expect(failed).toMatchObject({ status: 'failed', failure: { error: 'ClassCountMismatch' } });
  expect(message.body).toContain('inferdrop rescore');
  const made = await madeBySageMaker('eleven');
  const { store } = laptop.application;
  const config = JSON.parse((await store.readText(bucketLayout.pipelineConfig('eleven')))!);
  config.labels.classes.pop();
  await store.write(bucketLayout.pipelineConfig('eleven'), JSON.stringify(config));

  const { code } = await command('rescore', 'eleven/monday/000001', '--wait');

  expect(code).toBe(0);
  const { report } = await laptop.outcome('eleven/monday/000001s1');
  expect(report).toMatchObject({ status: 'completed', correct: 6, rescoreOf: 'eleven/monday/000001' });
  expect(await madeBySageMaker('eleven')).toEqual(made);
});

/** Value, labeled records and right ones of each slice, in the order of the report. */
const slicesOf = ({ slices }: Report) =>
  slices?.weakest.map(({ dimension, value, labeled, correct }) => [dimension, value, labeled, correct]);

async function rowsOf(run: string): Promise<Record<string, unknown>[]> {
  const bytes = await laptop.application.store.readBytes(bucketLayout.rows(toRun(run), 0));
  const compressors = { ZSTD: (packed: Uint8Array) => zstdDecompressSync(packed) };
  return parquetReadObjects({ file: new Uint8Array(bytes!).buffer, compressors });
}

it('a slice below its bound fails the gate, and a rescore takes the slices of today', async () => {
  const { report, message } = await laptop.outcome('sites/monday/000001');
  expect(report).toMatchObject({
    status: 'completed',
    total: 6,
    correct: 5,
    gate: {
      verdict: 'failed',
      explanation: 'The gate failed: accuracy is too low in site=B (1 of 2 right, 50%, minimum 90%).',
    },
  });
  expect(message.body).toContain('site=B (1 of 2 right, 50%, minimum 90%)');
  expect(slicesOf(report)).toEqual([
    ['site', 'B', 2, 1],
    ['shift', 'night', 3, 2],
    ['site', 'A', 4, 4],
    ['shift', 'day', 3, 3],
  ]);
  expect(
    (await rowsOf('sites/monday/000001')).map((row) => [
      row['slice_site'],
      row['slice_shift'],
      row['correct'],
    ]),
  ).toEqual([
    ['A', 'day', true],
    ['A', 'night', true],
    ['A', 'day', true],
    ['A', 'night', true],
    ['B', 'day', true],
    ['B', 'night', false],
  ]);
  const made = await madeBySageMaker('sites');
  const { store } = laptop.application;
  const config = JSON.parse((await store.readText(bucketLayout.pipelineConfig('sites')))!);
  // The images are of 28 × 28 pixels.
  config.report.slices = [
    { from: 'image', property: 'width', name: 'width' },
    { from: 'image', property: 'brightness', name: 'light' },
  ];
  config.gate.slices = { 'width=0-63': { minAccuracy: 0.8, minInputs: 6 } };
  await store.write(bucketLayout.pipelineConfig('sites'), JSON.stringify(config));

  expect((await command('rescore', 'sites/monday/000001', '--wait')).code).toBe(0);

  const { report: again } = await laptop.outcome('sites/monday/000001s1');
  expect(again.gate.verdict).toBe('passed');
  expect(again.slices?.dimensions.map(({ name }) => name)).toEqual(['width', 'light']);
  expect(slicesOf(again)).toContainEqual(['width', '0-63', 6, 5]);
  const rows = await rowsOf('sites/monday/000001s1');
  expect(rows).toHaveLength(6);
  for (const row of rows) {
    expect(row).toMatchObject({ slice_width: '0-63', slice_light: expect.stringMatching(/^\d+-\d+$/) });
    expect(row).not.toHaveProperty('slice_site');
  }
  expect(await madeBySageMaker('sites')).toEqual(made);
});

it('a run whose predictions are gone is refused before anything is replaced', async () => {
  const run = toRun('eleven/monday/000001');
  const { store } = laptop.application;
  const keys = await Array.fromAsync(store.list(bucketLayout.predictions(run)), ({ key }) => key);
  for (const key of keys) await store.delete(key);
  await expect(command('rescore', 'eleven/monday/000001')).rejects.toThrow(/have expired/);
});
