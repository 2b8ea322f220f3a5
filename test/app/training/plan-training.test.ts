import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planTraining, type PlanTrainingServices } from '../../../src/app/training/plan-training.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { RunParts, toRunId } from '../../../src/run/run-id.ts';
import { TrainingPlan } from '../../../src/training/training-plan.ts';
import { aRun } from '../../support/a-run.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import {
  NOW,
  PLAN_ID,
  putFrozen,
  STACK,
  TRAINING,
  type TrainingDrop,
  trainingDrop,
} from '../../support/training-drop.ts';

const QUOTAS = new Map([['ml.m5.xlarge for training job usage', 4]]);

const plan = (
  store: MemoryObjectStore,
  { run = TRAINING, ...services }: Partial<PlanTrainingServices> & Pick<TrainingDrop, 'run'> = {},
) =>
  planTraining(
    { run },
    {
      store,
      quotas: async () => QUOTAS,
      clock: () => NOW,
      newId: () => PLAN_ID,
      settings: STACK,
      ...services,
    },
  );
const planOf = (store: MemoryObjectStore, run = TRAINING): TrainingPlan =>
  TrainingPlan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));

async function planned(drop: TrainingDrop = {}, services: Partial<PlanTrainingServices> = {}) {
  const store = trainingDrop(drop);
  await plan(store, { ...services, run: drop.run ?? TRAINING });
  return planOf(store, drop.run);
}

/** Fields and messages of a refused training. */
async function refusal(drop: TrainingDrop, services: Partial<PlanTrainingServices> = {}): Promise<string[]> {
  const store = trainingDrop(drop);
  await expect(plan(store, { ...services, run: drop.run ?? TRAINING })).rejects.toMatchObject({
    name: 'PlanRefused',
  });
  expect(store.text(bucketLayout.plan(drop.run ?? TRAINING))).toBeUndefined();
  const { problems } = JSON.parse(store.text(bucketLayout.problems(drop.run ?? TRAINING))!) as {
    problems: { field: string; message: string }[];
  };
  return problems.map(({ field, message }) => `${field} ${message}`);
}

const UNSERVED = expect.stringMatching(
  /^unless train\.py writes its own code\/inference\.py, the model has no input_fn in code\/inference\.py/,
);

test('a training is planned with everything resolved', async () => {
  const store = trainingDrop();
  expect(await plan(store)).toEqual({
    status: 'planned',
    costQuoteUsd: 0.2304,
    notes: ['stops if a metric is NaN 3 times in a row', UNSERVED],
  });
  expect(planOf(store)).toMatchObject({
    run: 'training/shapes/monday/000001',
    createdAt: NOW.toISOString(),
    region: 'us-east-1',
    data: { bucket: store.bucket, prefix: 'training/shapes/monday/', objects: 2 },
    image: {
      uri: '763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.6.0-cpu-py312',
      pyVersion: 'py312',
      horovod: null,
    },
    source: {
      prefix: 'pipelines/shapes/code/',
      entryPoint: 'train.py',
      files: [{ path: 'lib/net.py' }, { path: 'train.py' }],
    },
    hyperparameters: { epochs: '3', backend: '"gloo"' },
    channels: [
      {
        name: 'training',
        s3DataType: 'S3Prefix',
        uri: `s3://${store.bucket}/training/shapes/monday/`,
        objects: 2,
        bytes: 7,
      },
    ],
    metrics: [{ name: 'loss', regex: 'loss: ([0-9.]+|nan)' }],
    checkpoints: { uri: `s3://${store.bucket}/runs/training/shapes/monday/000001/checkpoints/${PLAN_ID}/` },
    vpc: null,
    limits: { maxCostUsd: 20, maxRunSeconds: 3600, maxWaitSeconds: 14_400 },
    cost: { quoteUsd: 0.2304, pricesUsd: { 'ml.m5.xlarge': 0.2304 } },
    after: { evaluate: null, promote: 'ask' },
    incumbent: null,
    notes: [UNSERVED],
  });
});

test("hyperparameters of the drop count before the pipeline's", async () => {
  const { hyperparameters } = await planned({ job: { hyperparameters: { epochs: 5, fast: true } } });
  expect(hyperparameters).toEqual({ epochs: '5', backend: '"gloo"', fast: 'true' });
});

test('everything that is wrong is said at once, from every file', async () => {
  const lines = await refusal({
    training: {
      version: '9.9.9',
      entryPoint: 'missing.py',
      channels: { train: 'train/', test: { manifest: 'test.manifest' } },
      maxCostUsd: 0.1,
      after: { evaluate: 'friday' },
      spot: { maxWaitMinutes: 1 },
      color: 'red',
    },
    job: { hyperparameters: { sagemaker_region: 'x' }, transform: {} },
  });
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'transform',
    'training.color',
    'training.version',
    'training.entryPoint',
    'training.channels.train.prefix',
    'training.channels.test.manifest',
    'training.spot.maxWaitMinutes',
    'training.maxCostUsd',
    'training.after.evaluate',
  ]);
});

test('a pipeline that does not train, or is not there, is refused with what to write', async () => {
  expect(await refusal({ training: null })).toEqual([
    expect.stringContaining('training is missing: say in it'),
  ]);
  const store = trainingDrop();
  store.remove(bucketLayout.pipelineConfig('shapes'));
  await expect(plan(store)).rejects.toMatchObject({ name: 'PlanRefused' });
  expect(store.text(bucketLayout.problems(TRAINING))).toContain('shapes');
  expect(JSON.parse(store.text(bucketLayout.problems(TRAINING))!).problems).toHaveLength(1);
});

test.each(['.', '..'])('a drop that is named %s is refused', async (drop) => {
  expect(await refusal({ run: { ...TRAINING, drop } })).toEqual([
    expect.stringMatching(/must not be a step between folders, is "\.+": .*under another name/),
  ]);
});

test('a training that is refused for what is written takes no place among the runs of its pipeline', async () => {
  const store = trainingDrop({ training: null });
  await expect(plan(store)).rejects.toMatchObject({ name: 'PlanRefused' });
  expect(store.text(bucketLayout.ledger('shapes'))).toBeUndefined();
});

test('files beside pipeline.json are judged with it', async () => {
  const store = trainingDrop();
  store.put(bucketLayout.prices(), '{}');
  store.put('training/shapes/monday/job.json', ' '.repeat(1_000_001));
  await expect(plan(store)).rejects.toMatchObject({ name: 'PlanRefused' });
  expect(JSON.parse(store.text(bucketLayout.problems(TRAINING))!)).toMatchObject({
    problems: [
      { file: bucketLayout.prices() },
      { file: 'job.json', message: expect.stringContaining('has 1000001') },
    ],
  });
});

test('prices of the account count before the table', async () => {
  const store = trainingDrop();
  store.put(bucketLayout.prices(), '{"date": "2026-01-01", "usdPerHour": {"ml.m5.xlarge": 9}}');
  await plan(store);
  expect(planOf(store).cost).toMatchObject({ quoteUsd: 9, source: 'override', priceTableDate: '2026-01-01' });
});

test('Horovod in a script of the source is looked for', async () => {
  expect(
    await refusal({
      training: { framework: 'tensorflow', version: '2.19', hyperparameters: {} },
      source: { 'train.py': 'import model\n', 'model.py': 'from horovod import tensorflow\n' },
    }),
  ).toEqual([expect.stringContaining('imports Horovod')]);
});

test('what Python compiled, hidden files and markers of folders are no source', async () => {
  const { source } = await planned({
    source: {
      'train.py': '',
      '__pycache__/train.pyc': 'x',
      '.DS_Store': 'x',
      'lib/old.pyc': 'x',
      'lib/__pycache__/a.txt': 'x',
      '': '',
      'lib/': '',
      'lib/.hidden/a.py': 'x',
    },
  });
  expect(source.files.map(({ path }) => path)).toEqual(['train.py']);
});

test('Horovod is not looked for in a script of more than a megabyte, nor in other files', async () => {
  const horovod = { framework: 'tensorflow', version: '2.19', hyperparameters: {} };
  const text = 'import horovod\n';
  const source = { 'train.py': text.padEnd(1_000_001, '#'), 'notes.txt': text };
  expect(await planned({ training: horovod, source })).toBeDefined();
  const whole = { ...source, 'train.py': text.padEnd(1_000_000, '#') };
  expect(await refusal({ training: horovod, source: whole })).toEqual([
    expect.stringContaining('imports Horovod'),
  ]);
  const installed = { ...whole, 'requirements.txt': 'horovod' };
  expect(await planned({ training: horovod, source: installed })).toBeDefined();
});

test('a source of more than a thousand files is refused, and not read to its end', async () => {
  const source = Object.fromEntries(Array.from({ length: 1_002 }, (_, at) => [`${at}.txt`, '']));
  expect(await refusal({ source: { ...source, 'train.py': '' } })).toContainEqual(
    expect.stringMatching(/^training\.sourceDir must have at most 1000 files .*, has more: data/),
  );
  expect(await refusal({ training: { sourceDir: '../other' } })).toEqual([
    expect.stringContaining('must be the name of a folder next to pipeline.json'),
  ]);
});

describe('channels', () => {
  test('are folders of the drop', async () => {
    const { channels } = await planned({
      training: { channels: { train: 'train/', validation: { prefix: 'val/', inputMode: 'Pipe' } } },
      files: { 'train/a': '1', 'train/b': '2', 'val/c': '333', 'other/d': '4' },
    });
    expect(channels).toMatchObject([
      { name: 'train', objects: 2, bytes: 2, inputMode: 'File' },
      { name: 'validation', objects: 1, bytes: 3, inputMode: 'Pipe' },
    ]);
  });

  test('of files that came later, of the default drop and of stated inputs are read by a manifest of the frozen files', async () => {
    const later = { ...TRAINING, generation: '000002' };
    const byDefault = { ...TRAINING, drop: 'default' };
    const statedBy = { key: 'k', etag: 'e', lastModified: NOW.toISOString() };
    for (const drop of [
      { run: later },
      { run: byDefault, frozen: { sourcePrefix: 'training/shapes/' } },
      { run: { ...TRAINING, generation: '000001r2' } },
      { frozen: { statedBy, sourcePrefix: 'shared/x/' } },
      { frozen: { statedBy, sourcePrefix: bucketLayout.dropFolder(TRAINING) } },
    ]) {
      const store = trainingDrop({
        training: { channels: { train: 'train/', test: 'test/' } },
        files: { 'train/a': '1', 'test/a': '2', b: '3' },
        ...drop,
      });
      const run = 'run' in drop ? drop.run : TRAINING;
      await plan(store, { run });
      const keyOf = (name: string) => bucketLayout.channelInput(run, name);
      const of = (name: string) => ({ uri: `s3://${store.bucket}/${keyOf(name)}`, objects: 1 });
      expect(planOf(store, run).channels).toMatchObject(
        ['train', 'test'].map((name) => ({ s3DataType: 'ManifestFile', ...of(name) })),
      );
      const prefix = drop.frozen?.sourcePrefix ?? bucketLayout.dropFolder(run);
      for (const name of ['train', 'test'])
        expect(JSON.parse(store.text(keyOf(name))!)).toEqual([
          { prefix: `s3://${store.bucket}/${prefix}${name}/` },
          'a',
        ]);
    }
  });

  test.each<[string, Partial<TrainingDrop>, string, string]>([
    ['job.json', { job: {} }, 'ManifestFile', 'S3Prefix'],
    ['_READY', { mark: '_READY' }, 'ManifestFile', 'S3Prefix'],
    ['_UPLOADING', { mark: '_UPLOADING' }, 'ManifestFile', 'S3Prefix'],
    ['hidden files', { frozen: { hidden: { count: 1, first: ['.x'] } } }, 'ManifestFile', 'ManifestFile'],
  ])('never get %s of the drop', async (_what, drop, ofAll, ofFolder) => {
    const { channels } = await planned({
      training: { inputMode: 'Pipe', channels: { all: '', train: 'train/' } },
      files: { 'train/a': '1' },
      ...drop,
    });
    expect(channels).toMatchObject([{ s3DataType: ofAll }, { s3DataType: ofFolder }]);
  });

  test('of a rerun are mounted where FastFile asks for it, of later files they are not', async () => {
    const training = { inputMode: 'FastFile' };
    const rerun = await planned({ run: { ...TRAINING, generation: '000001r2' }, training });
    expect(rerun.channels).toMatchObject([{ s3DataType: 'S3Prefix' }]);
    expect(await refusal({ run: { ...TRAINING, generation: '000002' }, training })).toEqual([
      expect.stringContaining('must be File or Pipe for this drop'),
    ]);
  });

  test('may be manifests of the drop', async () => {
    const text = JSON.stringify([{ prefix: 's3://other/images/' }, 'b.png', 'a.png', 'b.png']);
    const store = trainingDrop({
      training: { channels: { train: { manifest: 'train.manifest' } } },
      files: { 'train.manifest': text },
    });
    await plan(store);
    const key = bucketLayout.channelInput(TRAINING, 'train');
    expect(planOf(store).channels).toMatchObject([
      { s3DataType: 'ManifestFile', objects: 2, uri: `s3://bucket/${key}` },
    ]);
    expect(JSON.parse(store.text(key)!)).toEqual([
      { prefix: 's3://other/images/' },
      'b.png',
      'a.png',
      'b.png',
    ]);
  });

  const ofB = '[{"prefix": "s3://bucket/training/b/secret/"}, "patient.txt"]';
  const refOfB = '{"image-ref": "s3://bucket/training/b/secret/patient.txt", "label": 1}';
  const ofOwn = '[{"prefix": "s3://bucket/shared/"}, "a"]';
  const refOfOwn = '{"image-ref": "s3://bucket/shared/a", "label": 1}';
  const augmented = {
    inputMode: 'Pipe',
    channels: { train: { augmentedManifest: 'm', attributes: ['image-ref', 'label'] } },
  };
  const byManifest = { channels: { train: { manifest: 'm' } } };

  test.each([
    ['manifest', byManifest, ofOwn, ofB],
    ['augmented manifest', augmented, refOfOwn, refOfB],
  ])('a %s that is swapped after the plan brings nothing into the job', async (_, training, own, other) => {
    const store = trainingDrop({ training, files: { m: own } });
    await plan(store);
    store.put('training/shapes/monday/m', other);
    const [channel] = planOf(store).channels;
    expect(JSON.parse(store.text(channel!.uri.slice('s3://bucket/'.length))!)).toEqual(JSON.parse(own));
  });

  test.each([
    ['manifest', byManifest, ofOwn, ofB],
    ['augmented manifest', augmented, refOfOwn, refOfB],
  ])('a %s that is swapped before the plan is refused', async (_, training, own, other) => {
    const store = trainingDrop({ training, files: { m: own } });
    store.put('training/shapes/monday/m', other);
    await expect(plan(store)).rejects.toMatchObject({ name: 'PlanRefused' });
    expect(store.text(bucketLayout.problems(TRAINING))).toContain(
      'was overwritten or deleted since the drop was frozen: drop it again',
    );
  });

  test.each([
    ['of another pipeline', refOfB, /attribute image-ref that must begin with .*, on line 3$/],
    [
      'of another pipeline, written with an escape',
      refOfB.replace('"image-ref', '"image\\u002dref'),
      /must begin/,
    ],
    [
      'twice on a line, the last of another pipeline',
      refOfB.replace('{', '{"image-ref": "s3://bucket/shared/a", '),
      /must begin/,
    ],
    [
      'of a folder that leads out',
      refOfB.replace('training/b', 'shared/../training/b'),
      /must not have a folder/,
    ],
    [
      'of no object',
      refOfB.replace(/"s3:.*?"/, '["s3://bucket/training/b/x"]'),
      /must be the S3 URI of an object/,
    ],
    [
      'that loses digits',
      refOfB.replace(/"s3:.*?"/, '"s3://bucket/shared/a"').replace('1}', '12345678901234567}'),
      /2\^53/,
    ],
  ])('an augmented manifest with a reference %s is refused', async (_, line, message) => {
    expect(await refusal({ training: augmented, files: { m: `${refOfOwn}\n\n${line}\n` } })).toEqual([
      expect.stringMatching(message),
    ]);
  });

  test('an attribute that stands twice on a line reaches the job once, as it was judged', async () => {
    const store = trainingDrop({
      training: augmented,
      files: { m: refOfOwn.replace('{', '{"image-ref": "s3://bucket/training/b/secret/patient.txt", ') },
    });
    await plan(store);
    expect(store.text(bucketLayout.channelInput(TRAINING, 'train'))).toBe(
      '{"image-ref":"s3://bucket/shared/a","label":1}\n',
    );
  });

  test.each([
    ['has no prefix', '[]', 'is not a usable manifest'],
    [
      'names a place that a training may not read',
      '[{"prefix": "s3://foreign/x/"}, "a"]',
      'names a prefix that must begin with',
    ],
  ])('a manifest that %s is refused', async (_what, text, message) => {
    expect(
      await refusal({
        training: { channels: { train: { manifest: 'm' } } },
        files: { m: text },
      }),
    ).toEqual([expect.stringContaining(message)]);
  });

  test('augmented manifests must have the attributes', async () => {
    const training = {
      inputMode: 'Pipe',
      channels: { train: { augmentedManifest: 'm.jsonl', attributes: ['image-ref', 'label'] } },
    };
    const line = '{"image-ref": "s3://other/a.png", "label": 1}\n';
    expect((await planned({ training, files: { 'm.jsonl': line + line } })).channels).toMatchObject([
      { s3DataType: 'AugmentedManifestFile', attributes: ['image-ref', 'label'], objects: 2 },
    ]);
    expect(await refusal({ training, files: { 'm.jsonl': '{"image-ref": "s3://other/a.png"}\n' } })).toEqual([
      expect.stringContaining('must have the attribute label on each line, has image-ref, on line 1'),
    ]);
    expect((await planned({ training, files: { 'm.jsonl': `\n${line} \n${line}` } })).channels).toMatchObject(
      [{ objects: 2 }],
    );
    for (const text of ['image\n', 'null\n', '7'])
      expect(await refusal({ training, files: { 'm.jsonl': text } })).toEqual([
        expect.stringContaining('must have a JSON object on each line'),
      ]);
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`n${at}`, at])));
    expect(await refusal({ training, files: { 'm.jsonl': wide } })).toEqual([
      expect.stringMatching(/has n0, .*, n15, on line 1$/),
    ]);
  });

  test('a manifest is read as a whole only up to a size, and one that is gone is no manifest', async () => {
    const training = { channels: { train: { manifest: 'm' } } };
    const sized = async (size: number) => {
      const store = trainingDrop({ training, files: { m: '[{"prefix": "s3://other/x/"}, "a"]' } });
      const key = bucketLayout.manifest(TRAINING);
      const entry = JSON.parse(store.text(key)!) as object;
      store.put(key, `${JSON.stringify({ ...entry, size })}\n`);
      return store;
    };
    await plan(await sized(64_000_000));
    const large = await sized(64_000_001);
    await expect(plan(large)).rejects.toMatchObject({ name: 'PlanRefused' });
    expect(large.text(bucketLayout.problems(TRAINING))).toContain(
      'must have at most 64000000 bytes, has 64000001: divide it among channels',
    );
    const gone = await sized(9);
    gone.remove('training/shapes/monday/m');
    await expect(plan(gone)).rejects.toMatchObject({ name: 'PlanRefused' });
    expect(gone.text(bucketLayout.problems(TRAINING))).toContain('was overwritten or deleted');
  });
});

describe('what follows', () => {
  const SET = 'pipelines/shapes/evaluation/friday/';
  const source = { 'train.py': 'import torch\n', 'inference.py': 'def input_fn(body, type): ...\n' };
  const judging = { source, training: { after: { evaluate: 'friday', promote: 'when-gate-passes' } } };
  const replanned = async (store: MemoryObjectStore) => {
    store.remove(bucketLayout.plan(TRAINING));
    await plan(store);
    return planOf(store).after.evaluate?.run;
  };

  test('is judged on all files of the evaluation set, frozen, and on none that a supplier may write', async () => {
    const store = trainingDrop(judging);
    store.put(`${SET}a.png`, 'aaa');
    store.put(`${SET}more/b.png`, 'bb');
    store.put(`${SET}labels.csv`, 'file,label');
    store.put(`${SET}.DS_Store`, '');
    store.put('incoming/shapes/friday/easy.png', 'e');
    store.put('incoming/shapes/@friday/easy.png', 'e');
    putFrozen(store, aRun('shapes/friday/000001'));
    await plan(store);
    const run = 'shapes/@friday/000001';
    expect(planOf(store).after).toEqual({
      evaluate: { drop: 'friday', run, objects: 2 },
      promote: 'when-gate-passes',
      deploy: 'never',
    });
    const parts = RunParts.parse(run);
    const manifest = store.text(bucketLayout.manifest(parts))!.trim().split('\n');
    expect(manifest.map((line) => (JSON.parse(line) as { key: string }).key)).toEqual([
      `${SET}a.png`,
      `${SET}more/b.png`,
    ]);
    expect(JSON.parse(store.text(bucketLayout.frozen(parts))!)).toMatchObject({
      status: 'frozen',
      objects: 2,
      bytes: 5,
      sourcePrefix: SET,
      hidden: { count: 1 },
    });
    // Nothing runs it, so the sweep finds nothing to clean up.
    expect(store.info(bucketLayout.ended(parts))).toBeDefined();
  });

  test('the same files are frozen once, changed ones as the next generation', async () => {
    const store = trainingDrop(judging);
    store.put(`${SET}a.png`, 'aaa');
    expect(await replanned(store)).toBe('shapes/@friday/000001');
    expect(await replanned(store)).toBe('shapes/@friday/000001');
    store.put(`${SET}a.png`, 'AAA');
    expect(await replanned(store)).toBe('shapes/@friday/000002');
    store.put(`${SET}b.png`, 'b');
    expect(await replanned(store)).toBe('shapes/@friday/000003');
    store.remove(`${SET}b.png`);
    expect(await replanned(store)).toBe('shapes/@friday/000004');
    for (const key of store.keys('runs/shapes/@friday/000004/')) store.remove(key);
    expect(await replanned(store)).toBe('shapes/@friday/000005');
  });

  test.each<[string, Record<string, string>, string]>([
    ['without files', {}, 'must have files, and s3://bucket/pipelines/shapes/evaluation/friday/ is empty: inferdrop drop FOLDER --pipeline ' +
'shapes --evaluation --name friday uploads them'],
    ['whose job.json names files elsewhere', { 'a.png': 'a', 'job.json': '{"input":{"s3Prefix":"s3://bucket/incoming/shapes/friday/"}}' }, 'must have its files in the folder, and the job.json there sets input.s3Prefix'],
  ])('an evaluation set %s is refused', async (_, files, message) => {
    const store = trainingDrop(judging);
    for (const [name, body] of Object.entries(files)) store.put(SET + name, body);
    await expect(plan(store)).rejects.toMatchObject({ name: 'PlanRefused' });
    expect(store.text(bucketLayout.problems(TRAINING))).toContain(message);
  }); // prettier-ignore

  test('the model that is there is known by its digest and version', async () => {
    const store = trainingDrop();
    const archive = await modelArchive({ 'model.pth': 'weights' });
    const { etag } = store.put(bucketLayout.pipelineModel('shapes'), archive);
    await plan(store);
    expect(planOf(store).incumbent).toEqual({
      etag,
      sha256: createHash('sha256').update(archive).digest('hex'),
      content: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    store.put(bucketLayout.pipelineModel('shapes'), 'no archive');
    await plan(store);
    expect(planOf(store).incumbent?.content).toBeNull();
  });

  test.each([
    ['is replaced while it is read', undefined],
    ['is compared with no trained one', 'never'],
  ])('the content of a model that %s is not known, and no stream is left open', async (_, promote) => {
    const store = trainingDrop(promote === undefined ? {} : { training: { after: { promote } } });
    const key = bucketLayout.pipelineModel('shapes');
    store.put(key, await modelArchive({ 'model.pth': 'weights' }));
    const bodies: { readonly destroyed: boolean }[] = [];
    const open = store.open.bind(store);
    store.open = async (name, version) => {
      if (bodies.length > 0) store.put(key, 'another');
      const found = await open(name, version);
      if (name === key && found !== undefined) bodies.push(found.body);
      return found;
    };
    await plan(store);
    expect(planOf(store).incumbent?.content).toBeNull();
    expect(bodies.map(({ destroyed }) => destroyed)).toEqual(promote === 'never' ? [true] : [true, true]);
  });
});

test('a rerun goes on from the checkpoints of its original', async () => {
  const run = { ...TRAINING, generation: '000001r2' };
  const store = trainingDrop({ run, frozen: { origin: { mode: 'rerun', of: toRunId(TRAINING) } } });
  const original = { ...(await planned()), id: 'c9bf9e57-1685-4c89-bafb-ff5af830be8a' };
  const uri =
    's3://bucket/runs/training/shapes/monday/000001/checkpoints/c9bf9e57-1685-4c89-bafb-ff5af830be8a/';
  const checkpointsAfter = async (changes: Partial<TrainingPlan>) => {
    store.put(bucketLayout.plan(TRAINING), JSON.stringify({ ...original, checkpoints: { uri }, ...changes }));
    await plan(store, { run });
    return planOf(store, run).checkpoints?.uri;
  };
  const own = `s3://bucket/runs/training/shapes/monday/000001r2/checkpoints/${PLAN_ID}/`;
  expect(await checkpointsAfter({})).toBe(uri);
  expect(await checkpointsAfter({ checkpoints: null })).toBe(own);
  store.remove(bucketLayout.plan(TRAINING));
  await plan(store, { run });
  expect(planOf(store, run).checkpoints?.uri).toBe(own);
  expect((await planned({ training: { checkpoints: false } })).checkpoints).toBeNull();
});

test('a rerun beside a training of the same files that is under way has checkpoints of its own', async () => {
  const run = { ...TRAINING, generation: '000001r3' };
  const store = trainingDrop({ run, frozen: { origin: { mode: 'rerun', of: toRunId(TRAINING) } } });
  for (const generation of ['000001', '000002']) putFrozen(store, { ...TRAINING, generation });
  const checkpoints = async () => {
    await planTraining(
      { run },
      { store, quotas: async () => new Map(), clock: () => NOW, newId: () => PLAN_ID, settings: STACK },
    );
    const { checkpoints: kept, notes } = JSON.parse(store.text(bucketLayout.plan(run))!);
    return [kept.uri, notes];
  };
  const note = 'another training of these files is under way';
  expect(await checkpoints()).toEqual([
    expect.stringContaining(`/000001r3/checkpoints/${PLAN_ID}/`),
    [UNSERVED, expect.stringContaining(note)],
  ]);
  store.put(bucketLayout.ended(TRAINING), '{}');
  store.put(bucketLayout.plan(TRAINING), JSON.stringify(await planned()));
  expect(await checkpoints()).toEqual([
    expect.stringContaining(`/000001/checkpoints/${PLAN_ID}/`),
    [UNSERVED],
  ]);
});

test('the VPC of the stack is used unless the settings say otherwise', async () => {
  const vpc = { subnets: ['subnet-1'], securityGroups: ['sg-1'] };
  const settings = { ...STACK, vpc };
  expect((await planned({}, { settings })).vpc).toEqual(vpc);
  expect((await planned({ training: { vpc: false } }, { settings })).vpc).toBeNull();
});

test('quotas that cannot be read are a note', async () => {
  const { notes } = await planned({}, { quotas: () => Promise.reject(new Error('AccessDenied')) });
  expect(notes).toEqual([
    expect.stringContaining('quotas of the instance types could not be read'),
    UNSERVED,
  ]);
});

describe('limits of the pipeline', () => {
  const limits = { maxConcurrentRuns: 1, maxCostUsdPerDay: 0.3 };

  test('a training waits for its turn among runs of every kind', async () => {
    const store = trainingDrop({ pipeline: { limits } });
    await plan(store);
    const second = { ...TRAINING, drop: 'tuesday' };
    store.put(bucketLayout.manifest(second), store.text(bucketLayout.manifest(TRAINING))!);
    putFrozen(store, second);
    expect(await plan(store, { run: second })).toEqual({ status: 'waiting', waitSeconds: 2 });
    expect(store.text(bucketLayout.plan(second))).toBeUndefined();
  });

  test('what a day may cost is refused beyond', async () => {
    expect(await refusal({ pipeline: { limits: { maxCostUsdPerDay: 0.1 } } })).toEqual([
      expect.stringContaining('allows $0.10 a day, and this run is quoted at $0.23'),
    ]);
    expect((await planned({ pipeline: { limits } })).limits.maxCostUsd).toBe(0.3);
  });
});

describe('the files of each class', () => {
  const files = {
    'train/circle/1.png': 'a',
    'train/circle/2.png': 'b',
    'labels.csv': 'key,label\na,square\nb,circle\nc,x\n',
  };
  test.each<[string, object, object, string]>([
    ['by their folders', { truth: { from: 'folder' } }, {}, 'circle 2, square 0'],
    ['by a pattern', { truth: { from: 'key', pattern: '/([a-z]+)/2' } }, {}, 'circle 1, square 0'],
    ['by the label file of the drop', { truth: { from: 'file' } }, {}, 'circle 1, square 1'],
    [
      'by a column of the label file that is named',
      { truth: { from: 'file', column: 'kind' } },
      { 'labels.csv': 'key,label,kind\na,1,square\nb,0,square\n' },
      'circle 0, square 2',
    ],
    [
      'by a column for each class',
      { truth: { from: 'file' } },
      { 'labels.csv': 'key,circle,square\na,0,1\nb,1,0\nc,1,0\n' },
      'circle 2, square 1',
    ],
    [
      'by a file of classes',
      { classes: { file: 'c.txt' }, truth: { from: 'folder' } },
      {},
      'circle 2, star 0',
    ],
  ])('are counted %s', async (_, labels, more, counted) => {
    const store = trainingDrop({
      files: { ...files, ...more },
      pipeline: { labels: { classes: ['circle', 'square'], ...labels } },
    });
    store.put('pipelines/shapes/c.txt', 'circle\nstar\n');
    await plan(store);
    expect(planOf(store).notes).toContain(`files by class: ${counted}`);
  });

  test.each<[string, object, object]>([
    ['without labels', { truth: null }, {}],
    [
      'in folders of other names',
      { truth: { from: 'folder' } },
      { 'train/circle/1.png': undefined, 'train/circle/2.png': undefined },
    ],
    ['by a label file that is not there', { truth: { from: 'file', path: 'labels.jsonl' } }, {}],
    ['by a label file that is something else', { truth: { from: 'file' } }, { 'labels.csv': 'a;b\n' }],
    [
      'by a label file that is unreadable from some row on',
      { truth: { from: 'file' } },
      { 'labels.csv': `key,label\n${'a,circle\n'.repeat(1_100)}b` },
    ],
    [
      'by a label file with too many classes',
      { truth: { from: 'file' } },
      {
        'labels.csv': `key,label\na,circle\n${Array.from({ length: 1_100 }, (_, at) => `${at},kind ${at}\n`).join('')}`,
      },
    ],
    ['by a pattern that only RE2 reads', { truth: { from: 'key', pattern: '/(?P<c>[a-z]+)/2' } }, {}],
  ])('are not counted %s', async (_, labels, more) => {
    const own = Object.fromEntries(
      Object.entries({ ...files, 'x.npy': 'x', ...more }).filter(([, body]) => body !== undefined),
    );
    const { notes } = await planned({
      files: own,
      pipeline: { labels: { classes: ['circle', 'square'], ...labels } },
    });
    expect(notes.join()).not.toContain('files by class');
  });
});
