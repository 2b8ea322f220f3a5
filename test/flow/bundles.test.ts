import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { servedJson } from '../../src/app/records/endpoint.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../support/a-run.ts';
import { comparableReport } from '../support/comparable-report.ts';
import type { Laptop } from '../support/laptop.ts';
import { packedTar } from '../support/packed-tar.ts';
import { onSharedLaptop } from '../support/shared-laptop.ts';
import { silentTerminal } from '../support/silent-terminal.ts';

/** Bundles are made of 256 files and more. */
const IMAGES = 270;
let laptop: Laptop;

onSharedLaptop(async (shared) => {
  laptop = shared;
  const images = await laptop.images(IMAGES);
  const broken = { 'broken_bag.png': Buffer.from('no image') };
  await laptop.givePipeline('alone');
  await laptop.givePipeline(
    'bundled',
    (config) => (config.transform = { ...config.transform, bundle: 'auto' }),
  );
  await laptop.givePipeline('in-a-tar', (config) => {
    config.transform = { ...config.transform, bundle: 'auto' };
    config.gate = { minAccuracy: 0.5 };
    config.endpoint = { deploy: 'when-gate-passes', ttlHours: 8 };
  });
  await laptop.upload('alone', 'monday', images);
  await laptop.upload('bundled', 'monday', { ...images, ...broken });
  await laptop.upload('in-a-tar', 'monday', { 'a.tar': await packedTar(images) });
});

/** The best class and its score for each image, by the file's own name. */
async function predictionsOf(run: string) {
  const bytes = await laptop.application.store.readBytes(bucketLayout.rows(aRun(run), 0));
  const rows = (await Array.fromAsync(readRows(bytes!))).flat();
  return Object.fromEntries(
    rows
      .filter(({ error }) => error === null)
      .map(({ key, prediction, correct, score }) => [
        key.slice(key.lastIndexOf('/') + 1),
        [prediction, correct, score?.toFixed(4)],
      ]),
  );
}

it('images in bundles have the answers that each has alone, and a broken one is told by name', async () => {
  const [alone, bundled, tarred] = await Promise.all(
    ['alone', 'bundled', 'in-a-tar'].map((name) => laptop.outcome(`${name}/monday/000001`)),
  );
  expect(alone!.report).toMatchObject({ records: IMAGES, errors: 0 });
  const { correct } = alone!.report;
  expect(bundled!.report).toMatchObject({ total: IMAGES + 1, records: IMAGES, errors: 1, correct });
  expect(tarred!.report).toMatchObject({ total: IMAGES, records: IMAGES, errors: 0, correct });
  const judged = { gate: expect.anything() };
  expect({ ...comparableReport(tarred!.report), ...judged }).toEqual({
    ...comparableReport(alone!.report),
    ...judged,
  });
  const expected = await predictionsOf('alone/monday/000001');
  expect(await predictionsOf('bundled/monday/000001')).toEqual(expected);
  expect(await predictionsOf('in-a-tar/monday/000001')).toEqual(expected);
  const { store } = laptop.application;
  const outputs = await Array.fromAsync(store.list(bucketLayout.predictions(aRun('bundled/monday/000001'))));
  // 271 images in five bundles; the broken one was refused by itself, and isn't sent again.
  expect(outputs.map(({ key }) => key.split('/').slice(-3).join('/'))).toEqual(
    [0, 1, 2, 3, 4].map((bundle) => `parts/1/00000${bundle}.out`),
  );
  const errors = await store.readText(bucketLayout.errors(aRun('bundled/monday/000001')));
  expect(errors).toMatch(/broken_bag\.png,,model-error,"?the model answered \d+: /);
  expect(bundled!.report.notes.join('\n')).toContain('271 files are sent in bundles of up to 64');
});

it('its endpoint has the archive as it was given, and answers single members as the bundles did', async () => {
  const { store } = laptop.application;
  const served = await laptop.until(async () => {
    const found = await servedJson('in-a-tar').read(store);
    return found?.status === 'in-service' ? found : undefined;
  });
  const given = (await store.readBytes(bucketLayout.pipelineModel('in-a-tar')))!;
  const sha256 = createHash('sha256').update(given).digest('hex');
  const [variant] = Object.values(served.variants);
  expect(variant).toMatchObject({ run: 'in-a-tar/monday/000001', modelSha256: sha256 });
  const { artifactUri } = (await laptop.application.sagemaker.describeModel(variant!.modelName))!;
  expect(artifactUri).toBe(`s3://${store.bucket}/${bucketLayout.model(sha256)}`);
});

it('a run in bundles is scored again, and replayed', async () => {
  const { report } = await laptop.outcome('bundled/monday/000001');
  const command = (...args: string[]) => runCommandLine(args, silentTerminal());
  expect(await command('rescore', 'bundled/monday/000001', '--wait')).toBe(0);
  const rescored = await laptop.outcome('bundled/monday/000001s1');
  expect(rescored.report).toMatchObject({ correct: report.correct, errors: 1 });
  expect(await command('replay', 'bundled/monday/000001', '--wait')).toBe(0);
  const replayed = await laptop.outcome('bundled/monday/000001r2');
  expect(replayed.report).toMatchObject({ correct: report.correct, errors: 1 });
});
