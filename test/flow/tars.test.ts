import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../support/a-run.ts';
import type { Laptop } from '../support/laptop.ts';
import { packedTar } from '../support/packed-tar.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

let laptop: Laptop;
let images: Record<string, Uint8Array>;
/** Index of the class that an image shows, by its name. */
let classOf: (file: string) => number;
const CLASSES: string[] = [];

const some = (from: number, to: number): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(images).slice(from, to));

onSharedLaptop(async (shared) => {
  laptop = shared;
  images = await laptop.images(12);
  await laptop.givePipeline('loose', (config) => CLASSES.push(...config.labels.classes));
  await laptop.givePipeline('packed', (config) => (config.gate = null));
  await laptop.givePipeline('beside', (config) => {
    config.labels.truth = { from: 'member', extension: 'cls' };
    config.labels.numbers = 'index';
    config.gate = null;
    config.sample = { inputs: 4 };
  });
  classOf = (file) => CLASSES.indexOf(/_(.+)\.png$/.exec(file)![1]!);
  await laptop.upload('loose', 'monday', images);
  const cut = (await packedTar(some(0, 1))).subarray(0, 700);
  await laptop.upload('packed', 'monday', {
    'shard-0.tar': await packedTar(some(0, 6)),
    'shard-1.tar.gz': gzipSync(await packedTar(some(6, 11))),
    ...some(11, 12),
    'cut.tgz': cut,
    'IMG_1.jpg': Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'),
    'july.csv': Buffer.from(`PK\u0003\u0004${'\0'.repeat(22)}\u000f\0\0\0xl/workbook.xml`),
    _SUCCESS: '',
  });
  const samples = Object.entries(some(0, 8)).flatMap(([file, body], at) => [
    [`${at}.png`, body] as const,
    [`${at}.cls`, String(classOf(file))] as const,
    [`${at}.json`, '{"camera": 3}'] as const,
  ]);
  await laptop.upload('beside', 'monday', { 'a.tar': await packedTar(samples) });
});

async function command(...args: string[]): Promise<number> {
  return runCommandLine(args, silentTerminal());
}

/** What was predicted for each image, by the file's own name. */
async function predictionsOf(run: string) {
  const bytes = await laptop.application.store.readBytes(bucketLayout.rows(aRun(run), 0));
  const rows = (await Array.fromAsync(readRows(bytes!))).flat();
  return Object.fromEntries(
    rows
      .filter(({ error }) => error === null)
      .map(({ key, prediction, truth, correct }) => [
        key.slice(key.lastIndexOf('/') + 1),
        [prediction, truth, correct],
      ]),
  );
}

it('images in tars are predicted and judged as they are as single objects; a broken tar is told by name', async () => {
  const [loose, packed] = await Promise.all([
    laptop.outcome('loose/monday/000001'),
    laptop.outcome('packed/monday/000001'),
  ]);
  const { correct, records, accuracy } = loose.report;
  expect(packed.report).toMatchObject({
    status: 'completed-with-errors',
    correct,
    records,
    accuracy,
    errorsByReason: { unreadable: 4 },
    quality: loose.report.quality,
  });
  expect(await predictionsOf('packed/monday/000001')).toEqual(await predictionsOf('loose/monday/000001'));
  const { store } = laptop.application;
  const errors = await store.readText(bucketLayout.errors(aRun('packed/monday/000001')));
  expect(errors).toContain('cut.tgz,,,,unreadable,');
  expect(errors).toMatch(/IMG_1\.jpg,,,,unreadable,.*is an HEIC photograph/);
  expect(errors).toMatch(/july\.csv,,,,unreadable,.*is an Excel workbook/);
  expect(errors).not.toContain('_SUCCESS');
  expect(errors).toContain('is cut off: its tar stops within it');
});

it('a sample of the members of a tar, labeled beside them, is continued', async () => {
  const { report } = await laptop.outcome('beside/monday/000001');
  expect(report).toMatchObject({
    status: 'completed',
    total: 4,
    records: 4,
    errors: 0,
    sample: { inputs: 4, of: 8 },
  });
  expect(report.labels).toMatchObject({ inputs: 4, labeled: 4 });
  expect(await command('continue', 'beside/monday/000001', '--wait')).toBe(0);
  const whole = await laptop.outcome('beside/monday/000001c1');
  expect(whole.report).toMatchObject({ status: 'completed', total: 8, records: 8, errors: 0 });
  const truths = Object.values(await predictionsOf('beside/monday/000001c1')).map(([, truth]) => truth);
  expect(truths).toEqual(Object.keys(some(0, 8)).map((file) => CLASSES[classOf(file)]));
});

it('a run of tars is scored again, and replayed', async () => {
  const { report } = await laptop.outcome('beside/monday/000001');
  const whole = await laptop.outcome('beside/monday/000001c1');
  expect(await command('rescore', 'beside/monday/000001c1', '--wait')).toBe(0);
  const rescored = await laptop.outcome('beside/monday/000001s1');
  expect(rescored.report).toMatchObject({ total: 8, correct: whole.report.correct });
  expect(await command('replay', 'beside/monday/000001', '--wait')).toBe(0);
  const replayed = await laptop.outcome('beside/monday/000001r2');
  expect(replayed.report).toMatchObject({ total: 4, correct: report.correct });
});
