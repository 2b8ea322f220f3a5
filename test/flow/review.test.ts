import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ListTransformJobsCommand, SageMakerClient } from '@aws-sdk/client-sagemaker';
import { expect, it } from 'vitest';
import { csvCells } from '@inferdrop/table/cells';
import { runRecords } from '../../src/app/review/run-records.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { toRun } from '../../src/cli/runs/run-result.ts';
import { taskId } from '../../src/review/review-task.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const RUN = 'reviewed/monday/000001';
const INPUTS = 600;

let laptop: Laptop;
let folder: string;
/** The right label of each image, and the one of the label file, in which 3 % are wrong. */
const right = new Map<string, string>();
const given = new Map<string, string>();

onSharedLaptop(async (shared) => {
  laptop = shared;
  folder = temporaryFolder('review-');
  const images = await laptop.images(INPUTS);
  for (const file of Object.keys(images)) right.set(file, /_(.+)\.png$/.exec(file)![1]!);
  const classes = [...new Set(right.values())].sort();
  for (const [at, [file, label]] of [...right].entries())
    given.set(file, at % 33 === 0 ? classes[(classes.indexOf(label) + 4) % classes.length]! : label);
  await laptop.givePipeline('reviewed', (config) => {
    config.labels.truth = { from: 'file', path: 'labels.csv' };
    config.gate = null;
  });
  const labels = ['key,label,site', ...Array.from(given, ([file, label]) => `${file},${label},A`), ''].join(
    '\n',
  );
  await laptop.upload('reviewed', 'monday', { 'labels.csv': labels, ...images });
  await laptop.outcome(RUN);
});

async function command(...args: string[]): Promise<string> {
  const terminal = silentTerminal();
  expect(await runCommandLine(args, terminal)).toBe(0);
  return terminal.lines.join('\n');
}

async function jobs(): Promise<number> {
  const { TransformJobSummaries = [] } = await new SageMakerClient({}).send(
    new ListTransformJobsCommand({ NameContains: 'reviewed' }),
  );
  return TransformJobSummaries.length;
}

const keyOf = (file: string) => `incoming/reviewed/monday/${file}`;

it('wrong labels are found by the report, mended in a table, and scored again without a job', async () => {
  const { store } = laptop.application;
  const records = (await Array.fromAsync(runRecords(store, toRun(RUN)))).flat();
  expect(records).toHaveLength(INPUTS);
  const wrongLabels = new Set(
    [...right].flatMap(([file, label]) => (given.get(file) === label ? [] : [keyOf(file)])),
  );
  const suspects = new Set(records.flatMap(({ key, suspect }) => (suspect ? [key] : [])));
  const found = [...suspects].filter((key) => wrongLabels.has(key)).length;
  // Most wrong labels are among the suspects, and most suspects are wrong: 16 of 19, and of 29.
  expect(found).toBeGreaterThan(wrongLabels.size / 2);
  expect(found).toBeGreaterThan(suspects.size / 2);

  // Two people look, without label or prediction; the second one at what the first would change, and at right answers.
  const review = async (by: string, ...then: string[]) => {
    const save = path.join(folder, by);
    const written = await command('review', RUN, '--for', 'csv', '--suspect', '--save', save);
    const [header, ...rows] = (await readFile(path.join(save, 'review.csv'), 'utf8')).trimEnd().split('\r\n');
    expect(written).toContain(`${rows.length} tasks with ${rows.length} pictures in ${save}`);
    const shown = await readdir(path.join(save, 'images'));
    const filled = rows.map((row) => {
      const [id = '', key, , , , picture = '', label, predicted] = csvCells(row);
      expect(shown).toContain(path.posix.basename(picture));
      expect([key, label, predicted]).toEqual(['', '', '']);
      return row + right.get(path.posix.basename(keyById.get(id)!))!;
    });
    const answers = path.join(folder, `${by}.csv`);
    await writeFile(answers, [header, ...filled, ''].join('\r\n'));
    return {
      tasks: rows.length,
      said: await command('review', RUN, '--import', answers, '--by', by, ...then),
    };
  };
  const keyById = new Map(records.map(({ key }) => [taskId(key, 0), key]));
  const before = await jobs();
  const ann = await review('ann');
  expect(ann.tasks).toBe(2 * suspects.size);
  expect(ann.said).toContain(`${found} would be changed: a second person must say the same`);
  const { tasks, said } = await review('ben', '--rescore');
  expect(tasks).toBe(2 * found);

  expect(said).toContain(`${2 * found} records reviewed: ${found} agree with the label, ${found} changed`);
  expect(said).toContain('labels: incoming/reviewed/monday/labels.csv is a new version');
  const { report } = await laptop.outcome(`${RUN}s1`);
  // By hand: a suspect record has its right label now, each other one that of the file.
  const correct = records.filter(({ key, predicted }) => {
    const file = path.posix.basename(key);
    return predicted === (suspects.has(key) ? right : given).get(file);
  }).length;
  expect(report).toMatchObject({ total: INPUTS, correct, accuracy: correct / INPUTS, jobs: [], costUsd: 0 });
  expect(await jobs()).toBe(before);
  const labels = await store.readText(bucketLayout.dropFolder(toRun(RUN)) + 'labels.csv');
  expect(labels).toMatch(/^key,label,site,reviewed_by,reviewed_at,reviewed_how\n/);
  expect(labels?.match(/,A,"ann, ben",/g)).toHaveLength(found);
  expect(report.labelChanges).toMatchObject({ compared: INPUTS, seenToward: 0, by: [['ann, ben', found]] });
});

it.each(['label-studio', 'cvat'])(
  'tasks for %s lie beside their pictures, and a folder with files is refused',
  async (tool) => {
    const save = path.join(folder, tool);
    const asked = [
      'review',
      RUN,
      '--for',
      tool,
      '--wrong',
      '--random',
      '5',
      '--with-predictions',
      '--save',
      save,
    ];
    expect(await command(...asked)).toContain('5 tasks with 5 pictures');
    expect(await readdir(path.join(save, 'images'))).toHaveLength(5);
    await expect(command(...asked)).rejects.toThrow('must be a new or empty folder');
  },
);

it('labels that come from no file are written to one', async () => {
  const answers = path.join(folder, 'ben.csv');
  const { store } = laptop.application;
  const key = bucketLayout.pipelineConfig('reviewed');
  const config = JSON.parse((await store.readText(key))!);
  config.labels.truth = { from: 'key', pattern: '_([a-zA-Z-]+)\\.png$' };
  await store.write(key, JSON.stringify(config));
  await expect(command('review', RUN, '--import', answers)).rejects.toThrow(
    'come from no file: --save FILE writes one',
  );
  const file = path.join(folder, 'labels.csv');
  expect(await command('review', RUN, '--import', answers, '--save', file)).toContain(`--labels ${file}`);
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(INPUTS + 1);
  await expect(command('review', RUN, '--import', answers, '--save', file)).rejects.toThrow('EEXIST');
});
