import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  CLASSES,
  FIRST,
  rowNetwork,
  SECOND,
} from '../../packages/model-container/test/support/row-network.ts';
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

/** Can't be called from a file of another name, as the handler for bundles calls it. */
const STUBBORN = `
import json
import os


def handler(data, context):
    if os.path.basename(__file__) != "inference.py":
        raise RuntimeError("this script is inference.py")
    first = float(data.read().decode("utf-8").split(",")[0])
    scores = [0, 0, 0, 1] if first == ${FIRST[0]} else [0, 0, 1, 0]
    return json.dumps({"predictions": [scores]}), "application/json"
`;
/** Bundles are made of 256 files and more. */
const IMAGES = 270;
let laptop: Laptop;

onSharedLaptop(async (shared) => {
  laptop = shared;
  const images = await laptop.images(IMAGES);
  const broken = { 'broken_bag.png': Buffer.from('no image') };
  await laptop.givePipeline(
    'alone',
    (config) => (config.transform = { ...config.transform, bundle: 'never' }),
  );
  // With an environment of its own it doesn't know what the other one finds.
  await laptop.givePipeline(
    'bundled',
    (config) => (config.model = { ...config.model, environment: { OF: 'its own' } }),
  );
  await laptop.givePipeline('in-a-tar', (config) => {
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
  // 271 images in five bundles, of which one went first; the broken one was refused by itself, and isn't sent again.
  expect(outputs.map(({ key }) => key.split('/').slice(-3).join('/'))).toEqual([
    'jobs/1/000000.out',
    ...[0, 1, 2, 3].map((bundle) => `parts/2/00000${bundle}.out`),
  ]);
  const errors = await store.readText(bucketLayout.errors(aRun('bundled/monday/000001')));
  expect(errors).toMatch(/broken_bag\.png,,,,model-error,"?the model answered \d+: /);
  expect(bundled!.report.notes.join('\n')).toContain('files are sent in bundles of up to 64');
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

it('an archive that answers no bundle is tried with one, and all inputs are predicted without', async () => {
  const { store } = laptop.application;
  await laptop.givePipeline('stubborn', (config) => {
    config.transform = { contentType: 'text/csv' };
    config.columns = { features: ['a', 'b', 'c', 'd', 'e', 'f'] };
    config.labels = { classes: CLASSES, truth: { from: 'column', column: 'kind' } };
    config.gate = null;
    config.endpoint = { deploy: 'never' };
  });
  await store.write(
    bucketLayout.pipelineModel('stubborn'),
    await rowNetwork({ 'code/inference.py': STUBBORN }),
  );
  const rows = Array.from(
    { length: 1_100 },
    (_, at) => `${(at % 2 === 0 ? FIRST : SECOND).join(',')},${at % 2 === 0 ? 'd' : 'c'}`,
  );
  const drop = (name: string) =>
    laptop.upload('stubborn', name, { 'table.csv': `a,b,c,d,e,f,kind\n${rows.join('\n')}\n` });
  await drop('monday');
  const { report } = await laptop.outcome('stubborn/monday/000001');
  expect(report).toMatchObject({ status: 'completed', total: 1_100, errors: 0, correct: 1_100 });
  expect(report.jobs.map(({ objects }) => objects)).toEqual([1_000, 1_100]);
  expect(report.notes.filter((note) => note.includes('bundle'))).toEqual([
    expect.stringMatching(
      /^the first bundle has no usable answer \(.*this script is inference.py.*\): records/,
    ),
  ]);
  const sent = await Array.fromAsync(store.list(bucketLayout.bundles(aRun('stubborn/monday/000001'))));
  expect(sent.map(({ key }) => key.split('/').slice(-3).join('/'))).toEqual([
    ...['jobs/1/000000', 'parts/1/000000', 'parts/1/000001'],
  ]);

  // The next run of the archive knows.
  await drop('tuesday');
  const { report: next } = await laptop.outcome('stubborn/tuesday/000001');
  expect(next).toMatchObject({ errors: 0, correct: 1_100 });
  expect(next.jobs.map(({ objects }) => objects)).toEqual([1_100]);
  expect(next.notes.join('\n')).toContain(
    "the archive doesn't answer bundles, as stubborn/monday/000001 found (",
  );
});
