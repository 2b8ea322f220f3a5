import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  DescribeTransformJobCommand,
  ListTransformJobsCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Report } from '../../src/report/report.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let laptop: Laptop;
let folder: string;
/** Keys of the drop's images, by name. */
let names: readonly string[];

onSharedLaptop(async (shared) => {
  laptop = shared;
  const images = await laptop.images(12);
  names = Object.keys(images).sort();
  await laptop.givePipeline('sampled', (config) => {
    config.labels.truth = { from: 'key', pattern: '_(.+)\\.png$' };
    config.report = { slices: [{ from: 'key', pattern: '_(?P<shows>.+)\\.png$' }] };
    const slices = { '*': { minAccuracy: 0.3, minInputs: 1 } };
    config.gate = { minAccuracy: 0.5, minInputs: 5, confidence: 0.6, slices };
  });
  folder = path.join(temporaryFolder('sample-'), 'monday');
  await mkdir(folder);
  for (const [name, body] of Object.entries(images))
    await writeFile(path.join(folder, name), body as Uint8Array);
});

async function command(...args: string[]): Promise<{ code: number; text: string }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal);
  return { code, text: terminal.lines.join('\n') };
}

/** The names of the images that each transform job so far was given, oldest job first. */
async function sentBySageMaker(): Promise<string[][]> {
  const sagemaker = new SageMakerClient({});
  const { TransformJobSummaries = [] } = await sagemaker.send(
    new ListTransformJobsCommand({ NameContains: 'sampled', SortBy: 'CreationTime', SortOrder: 'Ascending' }),
  );
  return Promise.all(
    TransformJobSummaries.map(async ({ TransformJobName }) => {
      const job = await sagemaker.send(new DescribeTransformJobCommand({ TransformJobName }));
      const uri = job.TransformInput!.DataSource!.S3DataSource!.S3Uri!;
      const text = await laptop.application.store.readText(uri.slice(uri.indexOf('/', 's3://'.length) + 1));
      return (JSON.parse(text!) as unknown[]).slice(1) as string[];
    }),
  );
}

/** How many images show each thing, by their names. */
const countsOf = (files: readonly string[]) =>
  Object.fromEntries(
    Map.groupBy(files, (file) => /_(.+)\.png$/.exec(file)![1]!)
      .entries()
      .map(([label, all]) => [label, all.length]),
  );
/** Labeled records of each slice. */
const shownIn = ({ slices }: Report) =>
  Object.fromEntries(slices!.weakest.map(({ value, labeled }) => [value, labeled]));

it('a drop with --sample predicts a random part of it, and says so wherever its figures stand', async () => {
  const { code, text } = await command('drop', folder, '--pipeline', 'sampled', '--sample', '6', '--wait');
  expect(code).toBe(0);
  expect(text).toContain('6 of 12 inputs');
  const [sent, ...others] = await sentBySageMaker();
  expect(others).toEqual([]);
  expect(sent).toHaveLength(6);
  expect(names).toEqual(expect.arrayContaining(sent!));
  const { report, message } = await laptop.outcome('sampled/monday/000001');
  expect(report).toMatchObject({
    status: 'completed',
    total: 6,
    correct: 6,
    errors: 0,
    sample: { inputs: 6, of: 12, by: 'none' },
    gate: { verdict: 'passed' },
  });
  // 6 of 12 were right: no less than half is.
  expect(report.quality!.accuracyInterval.low).toBeGreaterThanOrEqual(0.5);
  expect(message.body).toContain('Sample     6 of 12 inputs');
  // Slices are of what was drawn.
  expect(shownIn(report)).toEqual(countsOf(sent!));
  expect((await command('runs', '--pipeline', 'sampled')).text).toMatch(/sampled\/monday\/000001.* 6 of 12/);
});

it('continue sends the rest alone, and its report is of the whole drop', async () => {
  const { code } = await command('continue', 'sampled/monday/000001', '--wait');
  expect(code).toBe(0);
  const [sampled, rest, ...others] = await sentBySageMaker();
  expect(others).toEqual([]);
  expect([...sampled!, ...rest!].sort()).toEqual(names);
  const { report } = await laptop.outcome('sampled/monday/000001c1');
  expect(report).toMatchObject({ status: 'completed', total: 12, correct: 12, errors: 0, sample: null });
  expect(report.jobs).toHaveLength(1);
  expect(shownIn(report)).toEqual(countsOf(names));
});

it('a continued run is scored again without a job, and is not continued', async () => {
  expect((await command('rescore', 'sampled/monday/000001c1', '--wait')).code).toBe(0);
  const { report } = await laptop.outcome('sampled/monday/000001s1');
  expect(report).toMatchObject({ total: 12, correct: 12, rescoreOf: 'sampled/monday/000001c1' });
  expect(await sentBySageMaker()).toHaveLength(2);
  await expect(command('continue', 'sampled/monday/000001c1')).rejects.toThrow(
    'has predicted all of its inputs',
  );
});
