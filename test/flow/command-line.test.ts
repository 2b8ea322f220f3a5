import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { Report } from '../../src/report/report.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { Laptop } from '../support/laptop.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { UNKNOWN_OPERATION, unsupportedModel } from '../support/unsupported-model.ts';

const BIN = path.resolve(import.meta.dirname, '..', '..', 'bin', 'inferdrop.mjs');
const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'examples', 'fashion-mnist');
const RUN = 'clothes/monday/000001';

let laptop: Laptop;
let folder: string;
let dropped: { code: number; lines: readonly string[] };

/** One run that the others look at. A class is named like a formula, as a hostile pipeline.json could. */
onSharedLaptop(async (shared) => {
  laptop = shared;
  folder = temporaryFolder('inferdrop-cli-');
  await laptop.givePipeline('clothes', (config) => {
    config.labels.classes[9] = '=HYPERLINK("http://x")';
    config.labels.truth = null;
    config.gate = null;
  });
  await laptop.givePipeline('beyond');
  await laptop.application.store.write(bucketLayout.pipelineModel('beyond'), await unsupportedModel());
  await laptop.givePipeline('wrong', (config) => (config.labels.classes = []));
  const drop = path.join(folder, 'monday');
  await mkdir(path.join(drop, 'deeper'), { recursive: true });
  const [boot, ...images] = Object.entries(await laptop.images(4));
  await writeFile(path.join(drop, 'deeper', boot![0]), boot![1]);
  for (const [name, body] of images) await writeFile(path.join(drop, name), body);
  dropped = await run('drop', drop, '--pipeline', 'clothes', '--wait', '--json');
});

/** A command in this process: its exit code and all that it said. */
async function run(...args: string[]): Promise<{ code: number; lines: readonly string[] }> {
  const terminal = silentTerminal();
  const code = await runCommandLine(args, terminal);
  return { code, lines: terminal.lines };
}

it('drop --wait --json ends with one line that a script can read', () => {
  expect(dropped.code).toBe(0);
  const result = JSON.parse(dropped.lines.at(-1)!);
  expect(result).toMatchObject({ run: RUN, status: 'completed', total: 4, correct: null, accuracy: null });
  expect(result.report).toMatch(/^s3:\/\/.*\/runs\/clothes\/monday\/000001\/report\.html$/);
  expect(result.seconds).toBeGreaterThan(0);
});

it('drop refuses, before it uploads, a model that the stack on this machine cannot run', async () => {
  await expect(run('drop', path.join(folder, 'monday'), '--pipeline', 'beyond')).rejects.toThrow(
    `This stack cannot run the model: The model uses operations that cannot be converted: ${UNKNOWN_OPERATION}`,
  );
  const uploaded = await Array.fromAsync(laptop.application.store.list('incoming/beyond/'));
  expect(uploaded).toEqual([]);
});

it('drop without --wait names the run that will take the files', async () => {
  const { code, lines } = await run(
    'drop',
    path.join(folder, 'monday'),
    '--pipeline',
    'wrong',
    '--name',
    'now',
    '--json',
  );
  expect(code).toBe(0);
  expect(JSON.parse(lines.at(-1)!)).toEqual({ run: 'wrong/now/000001' });
});

it('drop --wait of a run that is refused says why, and exits with 1', async () => {
  const { code, lines } = await run(
    'drop',
    path.join(folder, 'monday'),
    '--pipeline',
    'wrong',
    '--name',
    'then',
    '--wait',
  );
  expect(code).toBe(1);
  expect(lines.join('\n')).toContain('labels.classes');
});

it('drop --wait of a run whose gate fails exits with 3, and names errors and a link to the report', async () => {
  const strict = path.join(folder, 'strict');
  await mkdir(strict);
  const config = JSON.parse(await readFile(path.join(EXAMPLE, 'pipeline.json'), 'utf8'));
  const gated = {
    ...config,
    gate: { minAccuracy: 0.99, maxErrorRate: 0, minInputs: 1, confidence: null },
  };
  await writeFile(path.join(strict, 'pipeline.json'), JSON.stringify(gated));
  await copyFile(path.join(EXAMPLE, 'model.tar.gz'), path.join(strict, 'model.tar.gz'));
  const put = await run('pipeline', 'put', strict, '--json');
  expect(JSON.parse(put.lines.at(-1)!)).toEqual({
    pipeline: 'strict',
    place: `s3://${laptop.application.bucket}/pipelines/strict/`,
    files: ['model.tar.gz', 'pipeline.json'],
  });
  const drop = path.join(folder, 'gated');
  await mkdir(drop);
  const [image] = Object.values(await laptop.images(1));
  await writeFile(path.join(drop, '1_trouser.png'), image!);
  const { code, lines } = await run('drop', drop, '--pipeline', 'strict', '--wait');
  expect(code).toBe(3);
  expect(lines.join('\n')).toContain('gate failed');
  expect(lines.at(-1)).toBe('To open it: inferdrop open strict/gated/000001');
});

it('runs lists what has ended, as a table and as JSON', async () => {
  const table = await run('runs', '--pipeline', 'clothes');
  expect(table.lines).toHaveLength(2);
  expect(table.lines[1]).toContain(RUN);
  const json = await run('runs', '--pipeline', 'clothes', '--json');
  expect(JSON.parse(json.lines[0]!)).toMatchObject([{ run: RUN, status: 'completed', total: 4 }]);
});

it('report shows the result, and as JSON the whole report', async () => {
  const { lines } = await run('report', RUN);
  expect(lines.join('\n')).toMatch(/^Inputs {5}4\nErrors {5}none \(all have a prediction\)$/m);
  expect(lines).toContain('completed');
  const json = await run('report', RUN, '--json');
  expect(Report.parse(JSON.parse(json.lines[0]!)).records).toBe(4);
  const markdown = await run('report', RUN, '--markdown');
  expect(markdown.lines.join('\n')).toContain(`**${RUN}** completed`);
});

it('report --save copies the report into a folder', async () => {
  const target = path.join(folder, 'saved');
  const { code, lines } = await run('report', RUN, '--save', target);
  expect([code, lines.at(-1)]).toEqual([0, path.join(target, 'report.html')]);
  expect(await readdir(target)).toEqual(expect.arrayContaining(['report.html', 'report.json']));
});

it('report --csv writes nothing but rows to stdout, and no cell that a spreadsheet runs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, 'report', RUN, '--csv']);
  const [header, ...rows] = stdout.trimEnd().split('\r\n');
  expect(header).toBe('key,record_index,line,id,truth,prediction,score,top_k,correct,error');
  expect(rows).toHaveLength(4);
  expect(stdout).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(stdout).not.toMatch(/,"?=HYPERLINK/);
});

it('open --print saves the report where no other account reads it, and prints its path', async () => {
  const { code, lines } = await run('open', RUN, '--print');
  const [file = ''] = lines;
  expect(code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain(`<title>${RUN}`);
  expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
  await rm(path.dirname(file), { recursive: true });
  await expect(run('open', 'clothes/never/000001')).rejects.toThrow(/has no report.*did you mean/);
});

it('pipeline list and show say how pipelines stand, and where each setting comes from', async () => {
  const json = JSON.parse((await run('pipeline', 'list', '--json')).lines[0]!);
  expect(json).toContainEqual(
    expect.objectContaining({
      pipeline: 'clothes',
      endpoint: null,
      lastRun: expect.objectContaining({ status: 'completed' }),
    }),
  );
  expect(json).toContainEqual({ pipeline: 'beyond', endpoint: null, lastRun: null });
  const { lines } = await run('pipeline', 'list');
  expect(lines[0]).toMatch(/^PIPELINE +LAST RUN +STATUS +ACCURACY +SERVES +ENDPOINT$/);
  const shown = await run('pipeline', 'show', 'clothes', '--json');
  const { settings } = JSON.parse(shown.lines[0]!);
  expect(settings).toContainEqual({ field: 'gate', value: null, from: 'pipeline.json' });
  expect(settings).toContainEqual({ field: 'drop.maxWaitMinutes', value: 30, from: 'default' });
  expect((await run('pipeline', 'show', 'wrong')).code).toBe(1);
});

it('rerun --wait --json repeats the run', async () => {
  const { code, lines } = await run('rerun', RUN, '--wait', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ run: 'clothes/monday/000001r2', total: 4 });
});

it('compare shows both runs, and what became of the records of both', async () => {
  const { code, lines } = await run('compare', RUN, `${RUN}r2`);
  expect(code).toBe(0);
  expect(lines[1]).toMatch(/^clothes\/monday\/000001 +completed +4 +0 +–/);
  expect(lines[2]).toMatch(/^clothes\/monday\/000001r2 +completed/);
  expect(lines).toContain('Same class 4 of 4 (records with a prediction in both)');
  await expect(run('compare', RUN, 'clothes/never/000001')).rejects.toThrow(
    /clothes\/never\/000001 has no report/,
  );
  await expect(run('compare', 'clothes/never/000001', RUN)).rejects.toThrow(
    /clothes\/never\/000001 has no report/,
  );
});

it('replay --wait --json repeats it as it was, and every prediction is the same', async () => {
  const { code, lines } = await run('replay', RUN, '--wait', '--json');
  expect([code, JSON.parse(lines.at(-1)!)]).toMatchObject([
    0,
    { of: RUN, status: 'completed', same: true, rows: { answered: 4, identical: 4, sameClass: 4 } },
  ]);
});

it('pipeline delete keeps every file, and is refused while a run is under way', async () => {
  const { store } = laptop.application;
  const again = (await run('rerun', RUN, '--json')).lines.at(-1)!;
  await expect(run('pipeline', 'delete', 'clothes', '--yes')).rejects.toThrow(
    /clothes is not deleted: clothes\/monday\/000001r\d+ under way.*inferdrop cancel RUN/,
  );
  await run('watch', JSON.parse(again).run, '--json');
  const before = await Array.fromAsync(store.list('pipelines/beyond/'), ({ key, etag }) => ({ key, etag }));
  const config = await store.readText(bucketLayout.pipelineConfig('beyond'));
  await expect(run('pipeline', 'delete', 'beyond')).rejects.toThrow(/nothing is deleted.*add --yes/);
  expect(await store.readText(bucketLayout.pipelineConfig('beyond'))).toBe(config);
  const { lines } = await run('pipeline', 'delete', 'beyond', '--yes');
  expect(lines.at(-1)).toMatch(/^beyond is deleted\. Its settings are kept: aws s3 mv s3:/);
  expect(await store.readText('pipelines/beyond/deleted-pipeline.json')).toBe(config);
  const after = await Array.fromAsync(store.list('pipelines/beyond/'), ({ key, etag }) => ({ key, etag }));
  expect(after.map(({ etag }) => etag).sort()).toEqual(before.map(({ etag }) => etag).sort());
  expect((await run('pipeline', 'list')).lines.join('\n')).not.toContain('beyond');
  await expect(run('drop', folder, '--pipeline', 'beyond')).rejects.toThrow(/pipeline beyond does not exist/);
  await expect(run('pipeline', 'delete', 'beyond', '--yes')).rejects.toThrow(/beyond does not exist/);
});

it.each([
  [['cancel', RUN], /must be running to be canceled, is SUCCEEDED/],
  [['cancel', 'clothes/never/000001'], /no run clothes\/never\/000001 is known/],
  [['rerun', 'clothes/never/000001'], /does not exist.*; did you mean clothes\/monday\/000001\?/],
  [['replay', 'clothes/never/000001'], /does not exist.*; did you mean clothes\/monday\/000001\?/],
  [['report', 'clothes/never/000001'], /has no report/],
  [['report', 'clothes'], /RUN must be <pipeline>\/<drop>\/<generation>/],
  [['runs', '--stage', 'prod'], /no stack inferdrop-prod/],
  [['drop', 'nowhere', '--pipeline', 'clothes'], /nowhere does not exist/],
  [
    ['drop', '.', '--pipeline', 'unknown'],
    /pipeline unknown does not exist: the pipelines are .*clothes.*\. inferdrop pipeline put FOLDER --name unknown/,
  ],
  [['drop', '.', '--pipeline', 'No Name'], /--pipeline must be/],
])('%j is answered with what to do', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(message);
});

it('a wrong command line exits with 2 and leaves stdout empty', async () => {
  const failure = await promisify(execFile)(process.execPath, [BIN, 'report', 'nonsense']).then(
    () => undefined,
    (error) => error,
  );
  expect(failure).toMatchObject({ code: 2, stdout: '' });
  expect(failure.stderr).toMatch(/^inferdrop: RUN must be/);
});
