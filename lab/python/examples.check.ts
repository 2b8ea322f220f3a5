import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stack } from '@inferdrop/laptop';
import { installEngine } from '@inferdrop/model-container/internal/engine-environment';
import { type Application, connect } from '../../src/cli/application.ts';
import { dropFolder } from '../../src/cli/files/drop-folder.ts';
import { bringUp } from '../../src/cli/laptop/laptop-stack.ts';
import { packModel } from '../../src/cli/model/enter-model.ts';
import { awaitRun } from '../../src/cli/runs/finish-run.ts';
import { readRows } from '../../src/report/table/read-rows.ts';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { aRun } from '../../test/support/a-run.ts';
import { silentTerminal } from '../../test/support/silent-terminal.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '..', '..', 'examples');
const FASHION = path.join(EXAMPLES, 'fashion-mnist');
const scratch = mkdtempSync(path.join(tmpdir(), 'inferdrop-examples-'));
const terminal = silentTerminal();
const say = (...what: readonly unknown[]): void =>
  void process.stdout.write(
    `${what.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(' ')}\n`,
  );

let stack: Stack;
let application: Application;
let python: string;
beforeAll(async () => {
  await installEngine('pytorch', () => undefined);
  ({ python } = await installEngine('tensorflow', () => undefined));
  stack = await bringUp(
    { stage: 'dev', port: 0, dataDir: path.join(scratch, 'data'), containers: { handlers: 'python' } },
    terminal,
  );
  application = await connect('dev');
});
afterAll(async () => {
  await stack.close();
  rmSync(scratch, { recursive: true, force: true });
});

/**
 * A stack that shares its computer with trainings may pause between two uploads, and a shorter quiet would split the drop in
 * two runs.
 */
const QUIET_SECONDS = 10;

/** Uploads an example's pipeline, and also `<name>-bundled`, the same with its files in bundles. */
async function givePipeline(name: string, model: Buffer): Promise<void> {
  const config = JSON.parse(readFileSync(path.join(EXAMPLES, name, 'pipeline.json'), 'utf8'));
  config.drop = { quietSeconds: QUIET_SECONDS };
  for (const [pipeline, bundle] of [
    [name, 'never'],
    [`${name}-bundled`, 'auto'],
  ] as const) {
    const own = { ...config, transform: { ...config.transform, bundle } };
    await application.store.write(bucketLayout.pipelineModel(pipeline), model);
    await application.store.write(bucketLayout.pipelineConfig(pipeline), JSON.stringify(own));
  }
}

/** The class that a run has predicted for each file. */
async function classesOf(run: string): Promise<Record<string, string | null>> {
  const bytes = await application.store.readBytes(bucketLayout.rows(aRun(run), 0));
  const rows = (await Array.fromAsync(readRows(bytes!))).flat();
  return Object.fromEntries(rows.map(({ key, prediction }) => [path.posix.basename(key), prediction]));
}

/** Also drops an example's files in bundles and in tars, and compares the classes of all. */
async function expectSameTogether(folder: string, pipeline: string, images = folder): Promise<void> {
  const alone = await classesOf(`${pipeline}/all/000001`);
  for (const [drop, files] of [
    ['all', folder],
    ['tars', await inTars(images)],
  ] as const) {
    const { report } = await dropAndWait(files, `${pipeline}-bundled`, drop);
    expect(report).toMatchObject({ status: 'completed', errors: 0 });
    const notes = report.notes.join('\n');
    expect(notes).toContain('are sent in bundles of up to 64');
    expect(notes).not.toContain('are sent one by one');
    expect(Object.keys(alone)).toHaveLength(report.total);
    expect(await classesOf(`${pipeline}-bundled/${drop}/000001`)).toEqual(alone);
  }
}

/** A folder with tars of the files of a folder, 100 in each. */
async function inTars(images: string): Promise<string> {
  const folder = mkdtempSync(path.join(scratch, 'tars-'));
  const names = readdirSync(images).sort();
  for (let at = 0; at < names.length; at += 100) {
    const tar = pack();
    for (const name of names.slice(at, at + 100)) tar.entry({ name }, readFileSync(path.join(images, name)));
    tar.finalize();
    writeFileSync(path.join(folder, `${at}.tar`), await buffer(tar));
  }
  return folder;
}

async function dropAndWait(folder: string, pipeline: string, drop = 'all') {
  const run = await dropFolder(application, { folder, kind: 'inference', pipeline, drop }, terminal);
  const finished = await awaitRun(application, run, terminal);
  const { status, failure, jobs } = finished.report;
  // What a red test needs to be understood.
  if (failure !== null)
    say(
      run,
      status,
      failure,
      jobs.map(({ failureReason }) => failureReason),
    );
  return finished;
}

test('pytorch-fashion-mnist: 1,000 images named by a manifest, shared by two instances', async () => {
  const { store, bucket } = application;
  const names = readdirSync(path.join(FASHION, 'images')).sort();
  const prefix = 'shared/fashion-mnist/';
  for (const name of names)
    await store.write(`${prefix}images/${name}`, readFileSync(path.join(FASHION, 'images', name)));
  const manifest = [{ prefix: `s3://${bucket}/${prefix}images/` }, ...names];
  await store.write(`${prefix}manifest.json`, JSON.stringify(manifest));
  await givePipeline(
    'pytorch-fashion-mnist',
    readFileSync(path.join(EXAMPLES, 'pytorch-fashion-mnist', 'model.tar.gz')),
  );
  const folder = mkdtempSync(path.join(scratch, 'drop-'));
  const input = { manifest: `s3://${bucket}/${prefix}manifest.json` };
  writeFileSync(path.join(folder, 'job.json'), JSON.stringify({ input }));

  const began = performance.now();
  const { report, success } = await dropAndWait(folder, 'pytorch-fashion-mnist');
  say(
    `pytorch-fashion-mnist: ${report.correct} of ${report.total} right, ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
  expect(report).toMatchObject({ status: 'completed', total: 1000, errors: 0 });
  expect(success).toBe(true);
  // The same network's answers for the same images in plain PyTorch.
  expect(report.correct).toBe(944);
  await expectSameTogether(folder, 'pytorch-fashion-mnist', path.join(FASHION, 'images'));
});

/** Images of clothes in the form of CIFAR-10's binary version: the real one is too large to lie here. */
async function clothesAsCifar(): Promise<string> {
  const classes = JSON.parse(readFileSync(path.join(FASHION, 'pipeline.json'), 'utf8')).labels.classes;
  const records = readdirSync(path.join(FASHION, 'images'))
    .sort()
    .map((name) => {
      const { data } = PNG.sync.read(readFileSync(path.join(FASHION, 'images', name)));
      const plane = Buffer.alloc(32 * 32);
      for (let row = 0; row < 28; row++)
        for (let column = 0; column < 28; column++)
          plane[(row + 2) * 32 + column + 2] = data[(row * 28 + column) * 4]!;
      const label = classes.indexOf(/_(.+)\.png$/.exec(name)![1]);
      return Buffer.concat([Buffer.from([label]), plane, plane, plane]);
    });
  const tar = pack();
  const batches = [
    'data_batch_1',
    'data_batch_2',
    'data_batch_3',
    'data_batch_4',
    'data_batch_5',
    'test_batch',
  ];
  // Bundles are made of 256 files and more.
  const sizes = [160, 160, 160, 160, 60, 300];
  let at = 0;
  batches.forEach((name, index) => {
    tar.entry(
      { name: `cifar-10-batches-bin/${name}.bin` },
      Buffer.concat(records.slice(at, (at += sizes[index]!))),
    );
  });
  tar.finalize();
  const file = path.join(scratch, 'cifar-10-binary.tar.gz');
  writeFileSync(file, gzipSync(await buffer(tar)));
  return file;
}

test('cifar10: from the archive to a report; the accuracy is the one that Keras measured', async () => {
  const [to, exported, model] = ['cifar10', 'export', 'model.tar.gz'].map((name) => path.join(scratch, name));
  const [prepare, train] = ['prepare.py', 'train.py'].map((name) => path.join(EXAMPLES, 'cifar10', name));
  execFileSync(python, [prepare!, await clothesAsCifar(), to!], { stdio: 'ignore' });
  const said = execFileSync(
    python,
    [train!, '--data', to!, '--epochs', '4', '--batch', '32', '--out', exported!],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const accuracy = Number(/^accuracy ([\d.]+)/m.exec(said)?.[1]);
  const code = path.join(EXAMPLES, 'cifar10', 'code');
  await packModel({ model: exported!, code, output: model! });
  await givePipeline('cifar10', readFileSync(model!));

  const { report } = await dropAndWait(path.join(to!, 'png', 'eval'), 'cifar10');
  say(`cifar10: ${report.correct} of ${report.total} right, Keras ${accuracy}`);
  expect(report).toMatchObject({ status: 'completed', total: 300, errors: 0 });
  expect(accuracy).toBeGreaterThan(0.4);
  expect(report.correct! / 300).toBeCloseTo(accuracy, 6);
  await expectSameTogether(path.join(to!, 'png', 'eval'), 'cifar10');
});

test('a model with a requirement that can’t be installed fails its run with the reason', async () => {
  const code = mkdtempSync(path.join(scratch, 'code-'));
  writeFileSync(
    path.join(code, 'inference.py'),
    readFileSync(path.join(EXAMPLES, 'cifar10', 'code', 'inference.py')),
  );
  writeFileSync(path.join(code, 'requirements.txt'), 'inferdrop-no-such-package==1\n');
  const output = path.join(scratch, 'broken.tar.gz');
  await packModel({ model: path.join(scratch, 'export'), code, output });
  await givePipeline('cifar10', readFileSync(output));
  const folder = mkdtempSync(path.join(scratch, 'one-'));
  writeFileSync(path.join(folder, '0_cat.png'), PNG.sync.write(new PNG({ width: 32, height: 32 })));
  const run = await dropFolder(
    application,
    { folder, kind: 'inference', pipeline: 'cifar10', drop: 'broken' },
    terminal,
  );
  const { report, success } = await awaitRun(application, run, terminal);
  expect(success).toBe(false);
  expect(JSON.stringify(report)).toContain('pip cannot install requests inferdrop-no-such-package==1');
});
