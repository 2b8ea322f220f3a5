import { describe, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { LabelIndex } from '../../../src/label/sorted-labels.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { JobRecord } from '../../../src/transform/job-record.ts';
import { aDrop } from '../../support/a-run.ts';
import {
  type DropFixture,
  frozenDrop,
  NOW,
  PARTS,
  PIPELINE,
  RUN,
  SERVABLE,
  SETTINGS,
} from '../../support/drop-fixture.ts';
import type { MemoryObjectStore, MemoryObjectStoreOptions } from '../../support/memory-object-store.ts';
import { withProblemLines } from '../../support/problem-lines.ts';
import { savedModelProto } from '../../support/saved-model-proto.ts';
import { frozenFiles } from '../../support/tar-drop.ts';

const plan = (store: MemoryObjectStore, settings = SETTINGS) =>
  withProblemLines(planRun({ run: PARTS }, { store, clock: () => NOW, settings }));
const written = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));

/** Messages of a refused drop, each with its field, one a line. */
async function refusal(fixture: DropFixture, settings = SETTINGS): Promise<string> {
  const store = await frozenDrop(fixture);
  const before = store.keys('runs/');
  const error: Error = await plan(store, settings).then(
    () => new Error('was planned'),
    (thrown: Error) => thrown,
  );
  expect(error.name).toBe('PlanRefused');
  const { problems } = JSON.parse(store.text(bucketLayout.problems(PARTS))!) as {
    problems: { message: string }[];
  };
  expect(error.message.split('\n')).toHaveLength(problems.length);
  expect(store.keys('runs/').filter((key) => !before.includes(key))).toEqual([bucketLayout.problems(PARTS)]);
  return error.message;
}

const truthOf = (truth: unknown) => ({ ...PIPELINE, labels: { ...PIPELINE.labels, truth } });

describe('answers', () => {
  const csv = { ...PIPELINE, transform: { contentType: 'text/csv' } };
  const archive = (sizes: number[]) =>
    modelArchive({ '1/saved_model.pb': savedModelProto({ y: { sizes } }) });

  test('of one sigmoid are known by the signature', async () => {
    const store = await frozenDrop({ pipeline: csv, archive: await archive([1]) });
    await plan(store);
    expect(written(store)).toMatchObject({
      labels: { scores: 'as-answered', threshold: null, single: 'score' },
      notes: [expect.stringContaining('read as the probability of "square"')],
    });
  });

  test('of another number of classes are refused before any job', async () => {
    expect(await refusal({ pipeline: csv, archive: await archive([1000]) })).toContain(
      "pipeline.json: labels.classes lists 2 classes, and the model's signature serving_default answers 1000 scores",
    );
  });

  test('behind a handler are left to the run', async () => {
    const store = await frozenDrop();
    await plan(store);
    expect(written(store).labels.single).toBe('either');
  });
});

describe('a good drop', () => {
  test('becomes a plan with every default made explicit', async () => {
    const store = await frozenDrop();
    await expect(plan(store)).resolves.toEqual({
      status: 'planned',
      jobs: 1,
      engine: 'sagemaker',
      objects: 2,
      costQuoteUsd: expect.any(Number),
      deploy: 'never',
      labels: [],
    });
    expect(written(store)).toMatchObject({
      run: RUN,
      createdAt: NOW.toISOString(),
      model: {
        name: expect.stringMatching(/^inferdrop-shapes-[0-9a-f]{16}$/),
        artifact: 's3://bucket/pipelines/shapes/model.tar.gz',
        imageUri:
          '763104351884.dkr.ecr.us-east-1.amazonaws.com/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      input: { bucket: 'bucket', prefix: 'incoming/shapes/monday/' },
      engine: {
        instanceTypes: ['ml.m5.xlarge'],
        maxConcurrentTransforms: 64,
        maxPayloadInMB: 1,
        environment: {
          SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '600',
          SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: '600',
        },
      },
      labels: { classes: ['circle', 'square'], truth: null, classOffset: 0 },
      report: { topK: [1] },
      cost: { hourlyUsd: 0.2304, source: 'table' },
      endpoint: { deploy: 'never', type: 'instance', instanceType: 'ml.m5.xlarge', hourlyUsd: 0.2304 },
      notes: [],
    });
  });

  test('says whether a deployment follows the gate', async () => {
    const deployed = { gate: { minAccuracy: 0.5 }, endpoint: { deploy: 'when-gate-passes' } };
    const store = await frozenDrop({ pipeline: { ...PIPELINE, ...deployed } });
    await expect(plan(store)).resolves.toMatchObject({ deploy: 'when-gate-passes' });
  });

  test("takes the job.json of an evaluation set for the owner's, wherever a supplier writes another", async () => {
    const store = await frozenDrop();
    const run = { ...PARTS, drop: '@held-out' };
    const set = bucketLayout.dropFolder(run);
    expect(set).toBe('pipelines/shapes/evaluation/held-out/');
    const { key, etag, size } = store.put(`${set}a.png`, 'a');
    const entry = { key, etag, size, lastModified: NOW.toISOString() };
    store.put(bucketLayout.manifest(run), `${JSON.stringify(entry)}\n`);
    const frozen = { ...JSON.parse(store.text(bucketLayout.frozen(PARTS))!), sourcePrefix: set, objects: 1 };
    store.put(bucketLayout.frozen(run), JSON.stringify(frozen));
    store.put(
      'incoming/shapes/@held-out/job.json',
      JSON.stringify({ labels: { classes: ['square', 'circle'] } }),
    );
    store.put(`${set}job.json`, JSON.stringify({ labels: { classOffset: -1 } }));
    await planRun({ run }, { store, clock: () => NOW, settings: SETTINGS });
    const { labels, judgedByDrop } = Plan.parse(JSON.parse(store.text(bucketLayout.plan(run))!));
    expect(labels).toMatchObject({ classes: ['circle', 'square'], classOffset: -1 });
    expect(judgedByDrop).toEqual([]);
  });

  test('leaves the inputs of its job in the format of SageMaker', async () => {
    const store = await frozenDrop({ files: { 'ü/b "1".png': 3, 'a.png': 4 } });
    await plan(store);
    const record = JobRecord.parse(JSON.parse(store.text(bucketLayout.job(PARTS, 1))!));
    expect(record).toMatchObject({
      attempt: 1,
      kind: 'part',
      part: 1,
      status: 'Planned',
      objects: 2,
      outputsBefore: 0,
    });
    expect(JSON.parse(store.text(record.input)!)).toEqual([
      { prefix: 's3://bucket/incoming/shapes/monday/' },
      'a.png',
      'ü/b "1".png',
    ]);
  });

  test('sends no empty and no too large file, and counts them', async () => {
    const store = await frozenDrop({ files: { 'a.png': 3, 'empty.png': 0, 'huge.png': 101_000_000 } });
    await plan(store);
    expect(written(store)).toMatchObject({
      objects: 1,
      excluded: { empty: 1, 'too-large': 1, 'key-too-long': 0 },
    });
    expect(JSON.parse(store.text(written(store).jobs[0]!.input)!)).toHaveLength(2);
  });

  test('sends far larger files in a job of their own', async () => {
    const small = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`${index}.png`, 900_000]));
    const store = await frozenDrop({ files: { ...small, 'large.png': 40_000_000 } });
    await expect(plan(store)).resolves.toMatchObject({ jobs: 2, objects: 201 });
    const { jobs, notes } = written(store);
    expect(jobs).toMatchObject([
      { objects: 200, outliers: false, engine: { maxPayloadInMB: 1, maxConcurrentTransforms: 64 } },
      { objects: 1, outliers: true, engine: { maxPayloadInMB: 40, maxConcurrentTransforms: 2 } },
    ]);
    expect(notes.join()).toContain('job of their own');
  });

  test('sends a few inputs from all over the run first where limits.pilot asks for it', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${100 + index}.png`, 900_000]),
    );
    const store = await frozenDrop({
      files: { ...files, '150b.png': 40_000_000 },
      pipeline: { ...PIPELINE, limits: { pilot: 4 } },
    });
    await expect(plan(store)).resolves.toMatchObject({ jobs: 3, objects: 101 });
    const { jobs, pilot, notes } = written(store);
    expect(jobs).toMatchObject([
      { part: 1, objects: 4, pilot: true, outliers: false, firstKey: expect.stringContaining('/100.png') },
      { part: 2, objects: 96, pilot: false, outliers: false },
      { part: 3, objects: 1, pilot: false, outliers: true },
    ]);
    expect(pilot.map((key) => key.split('/').at(-1))).toEqual(['100.png', '125.png', '150.png', '175.png']);
    const inputs = jobs.map(({ input }) => (JSON.parse(store.text(input)!) as unknown[]).slice(1));
    expect(inputs.flat().sort()).toEqual([...Object.keys(files), '150b.png'].sort());
    expect(notes.join()).toContain('a pilot of 4 inputs from all over the run goes first: the other 97');
    const first = JobRecord.parse(JSON.parse(store.text(bucketLayout.job(PARTS, 1))!));
    expect(first).toMatchObject({ part: 1, objects: 4, input: jobs[0]!.input });
  });

  test('sends all at once where the jobs are short', async () => {
    const store = await frozenDrop();
    await plan(store);
    expect(written(store)).toMatchObject({ pilot: [], jobs: [{ pilot: false }] });
  });

  test('takes what its job.json says', async () => {
    const store = await frozenDrop({
      job: { transform: { maxConcurrentTransforms: 3 }, labels: { classes: ['x', 'y', 'z'] } },
    });
    await plan(store);
    expect(written(store)).toMatchObject({
      engine: { maxConcurrentTransforms: 3 },
      labels: { classes: ['x', 'y', 'z'] },
    });
  });

  test('takes its classes from a file beside pipeline.json', async () => {
    const store = await frozenDrop({
      pipeline: { ...PIPELINE, labels: { classes: { file: 'classes.txt' } } },
    });
    store.put(bucketLayout.pipelineFile('shapes', 'classes.txt'), '\uFEFFcircle\r\n\r\n square \n');
    await plan(store);
    expect(written(store).labels.classes).toEqual(['circle', 'square']);
  });

  test('reads each large file once, and the first bytes of inputs', async () => {
    const store = await frozenDrop();
    await plan(store);
    const reads = store.requests.filter(
      ({ operation, key }) => operation === 'GET' && key.endsWith('model.tar.gz'),
    );
    expect(reads).toHaveLength(1);
    const images = store.requests.filter(({ operation, key }) => operation === 'GET' && /png$/.test(key));
    expect(images).toHaveLength(2);
  });
});

describe('a bad drop is refused', () => {
  test('with all problems at once', async () => {
    const message = await refusal({
      pipeline: {
        model: { framework: 'tensorflow', frameworkVersion: '2.17.0' },
        labels: { classes: ['a', 'a'], truth: { from: 'key', pattern: '(?<=x)(a)' } },
        transform: { instanceTypes: ['ml.trn1.2xlarge'] },
      },
      job: { limits: { maxRuntimeMinutes: 500 }, input: { s3Prefix: 's3://foreign/x/' } },
      archive: 'no archive',
      files: { 'empty.png': 0 },
    });
    for (const part of [
      "job.json: limits.maxRuntimeMinutes must be at most pipeline.json's 240, is 500",
      'job.json: input.s3Prefix must begin with s3://bucket/incoming/shapes/ or s3://bucket/shared/ or s3://other/',
      'pipeline.json: labels.classes must name each class once',
      'pipeline.json: labels.truth.pattern must be an RE2 regular expression: error parsing regexp: invalid named capture: `(?<=x)(a)`',
      'pipeline.json: transform.instanceTypes.0 AWS has no tensorflow inference container for trn1',
      's3://bucket/pipelines/shapes/model.tar.gz is text, and no model',
      'drop has no file that can be sent: 1 empty',
    ]) {
      expect(message).toContain(part);
    }
  });

  test('that asks for a run of another pipeline, without a word on whether that run exists', async () => {
    const message = await refusal({ job: { report: { baseline: 'birds/friday/000001' } } });
    expect(message.split('\n')).toHaveLength(1);
  });

  test('with what is wrong in the rest of a file that breaks its schema', async () => {
    const message = await refusal({
      pipeline: {
        model: { framework: 'tensorflw', frameworkVersion: '2.19.0' },
        labels: { classes: ['circle', 'square'], truth: { from: 'key', pattern: '(?<=x)(a)' } },
        gate: { minAccuracy: 93, minRecall: { triangle: 0.5 } },
        speling: 1,
      },
      job: { input: { s3Prefix: 's3://foreign/x/' } },
      files: { 'empty.png': 0 },
    });
    const reported = message.split('\n').map((line) => line.replace(/ (must|is|has|names) .*/, ''));
    expect(reported).toEqual([
      'job.json: input.s3Prefix',
      'pipeline.json: model.framework',
      'pipeline.json: gate.minAccuracy',
      'pipeline.json: speling',
      'pipeline.json: labels.truth.pattern',
      'drop',
    ]);
  });

  test.each<[string, DropFixture, string]>([
    [
      'without classes',
      { pipeline: { model: PIPELINE.model, labels: {} } },
      'pipeline.json: labels.classes is missing',
    ],
    [
      'with an unknown field',
      { pipeline: { ...PIPELINE, transfrom: {} } },
      'transfrom is not a known field; did you mean transform?',
    ],
    ['without its pipeline', { pipeline: null }, 'pipelines/shapes/pipeline.json does not exist'],
    ['that is not JSON', { pipeline: '{' }, 'pipeline.json is not JSON'],
    [
      'without its model',
      { archive: null },
      'model.artifact points to s3://bucket/pipelines/shapes/model.tar.gz, which does not exist: upload it with aws s3 cp',
    ],
    [
      'without a model that its pipeline is to train',
      {
        archive: null,
        pipeline: {
          ...PIPELINE,
          training: { framework: 'tensorflow', version: '2.19', entryPoint: 'train.py' },
        },
      },
      'does not exist yet: upload it with aws s3 cp model.tar.gz s3://bucket/pipelines/shapes/model.tar.gz, or train ' +
        'it with inferdrop train shapes. The files of this drop are frozen: once there is a model, inferdrop rerun ' +
        'shapes/monday/000001 predicts them',
    ],
    [
      'without the model that its pipeline names, though it can train one',
      {
        pipeline: {
          ...PIPELINE,
          model: { ...PIPELINE.model, artifact: 's3://other/none.tar.gz' },
          training: { framework: 'tensorflow', version: '2.19', entryPoint: 'train.py' },
        },
      },
      'model.artifact points to s3://other/none.tar.gz, which does not exist: upload it',
    ],
    [
      'whose model is a zip',
      { archive: 'PK\u0003\u0004' },
      'is a ZIP archive, and no model: SageMaker takes a gzip-compressed tar archive',
    ],
    ['that sets the model', { job: { model: {} } }, 'job.json: model cannot be set by a drop'],
    [
      'that sets instances',
      { job: { transform: { instanceCount: 9 } } },
      'job.json: transform.instanceCount cannot be set by a drop',
    ],
    [
      'that loosens the gate',
      { pipeline: { ...PIPELINE, gate: { minAccuracy: 0.9 } }, job: { gate: { minAccuracy: 0.1 } } },
      'job.json: gate.minAccuracy must be at least',
    ],
    [
      'whose job.json is nested 100,000 levels deep',
      { job: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` },
      'job.json is not JSON: it is nested more than 100 levels deep',
    ],
    [
      'whose content type has a line break',
      { job: { transform: { contentType: 'text/csv\r\nx-evil: 1' } } },
      'job.json: transform.contentType must be printable ASCII, as in text/csv, is "text/csv\\r\\nx-evil: 1"',
    ],
    [
      'that compares with a run of another pipeline',
      { job: { report: { baseline: 'birds/friday/000001' } } },
      'job.json: report.baseline must be "last-passed" or a run of shapes, is "birds/friday/000001": only ' +
        'pipeline.json may name runs of other pipelines',
    ],
    [
      'with an unknown version',
      { pipeline: { ...PIPELINE, model: { framework: 'tensorflow', frameworkVersion: '2.17.0' } } },
      'model.frameworkVersion AWS has no tensorflow inference container of version 2.17.0: the nearest is 2.18.0',
    ],
    [
      'without its labels file',
      {
        pipeline: { ...PIPELINE, labels: { ...PIPELINE.labels, strict: true } },
        job: { labels: { truth: { from: 'file', path: 'labels.csv' } } },
      },
      'job.json: labels.truth.path names a file that the drop does not have',
    ],
    [
      'whose pattern takes names of files for classes',
      {
        pipeline: truthOf({ from: 'key', pattern: '([^/]+)\\.png$' }),
        files: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`photo ${at}.png`, 1])),
      },
      'pipeline.json: labels.truth finds more than 1000 labels that labels.classes does not list, such as "photo',
    ],
    ['that is empty', { files: {} }, 'drop has no files'],
    [
      'with a retired accelerator',
      { pipeline: { ...PIPELINE, endpoint: { acceleratorType: 'ml.eia1.medium' } } },
      'endpoint.acceleratorType names a retired accelerator',
    ],
    [
      'whose cost cannot be bounded',
      {
        pipeline: { ...PIPELINE, transform: { instanceTypes: ['ml.m99.xlarge'] }, limits: { maxCostUsd: 5 } },
      },
      'Add it to pipelines/prices.json',
    ],
    [
      'whose cost of a day cannot be bounded',
      {
        pipeline: {
          ...PIPELINE,
          transform: { instanceTypes: ['ml.m99.xlarge'] },
          limits: { maxCostUsd: null },
        },
      },
      'cannot be held within limits.maxCostUsdPerDay 100',
    ],
    [
      'on an instance type that is misspelt',
      { pipeline: { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlage'] } } },
      'transform.instanceTypes.0 is not a known instance type; did you mean ml.m5.xlarge?',
    ],
    [
      'on a size that its family lacks',
      { pipeline: { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.m5.3xlarge'] } } },
      'transform.instanceTypes.1 is not a known instance type; did you mean ml.m5.',
    ],
    [
      'with a model elsewhere',
      { pipeline: { ...PIPELINE, model: { ...PIPELINE.model, artifact: 's3://foreign/m.tar.gz' } } },
      'model.artifact must begin with s3://bucket/pipelines/shapes/ or s3://bucket/shared/ or s3://bucket/models/ or s3://other/',
    ],
    [
      'on an instance that has no batch transform',
      { pipeline: { ...PIPELINE, transform: { instanceTypes: ['ml.t3.medium'] } } },
      'transform.instanceTypes.0 is not an instance type of batch transform',
    ],
    [
      'with mixed hardware',
      { pipeline: { ...PIPELINE, transform: { instanceTypes: ['ml.m5.xlarge', 'ml.g5.xlarge'] } } },
      'transform.instanceTypes must all run the same container',
    ],
  ])('%s', async (_name, fixture, message) => {
    expect(await refusal(fixture)).toContain(message);
  });

  test('that deploys a serverless endpoint where models are in a VPC, and only there', async () => {
    const pipeline = {
      ...PIPELINE,
      model: { ...PIPELINE.model, networkIsolation: false },
      gate: { minAccuracy: 0.5 },
      endpoint: { deploy: 'when-gate-passes', type: 'serverless' },
    };
    await expect(plan(await frozenDrop({ pipeline }))).resolves.toMatchObject({ status: 'planned' });
    const vpc = { subnets: ['subnet-1'], securityGroups: ['sg-1'] };
    expect(await refusal({ pipeline }, { ...SETTINGS, vpc })).toContain(
      'endpoint.type cannot be "serverless" where the stack parameter VpcSubnetIds puts models into a VPC',
    );
  });

  test.each([
    [{ 'saved_model.pb': '' }, 'move it to 1/saved_model.pb'],
    [{ 'model.h5': '' }, 'has no saved_model.pb'],
    [{ '1/saved_model.pb': '' }, 'has no code/inference.py'],
    [{ '../../../etc/passwd': '', ...SERVABLE }, 'leaves the archive'],
  ])('whose archive holds %j', async (files, message) => {
    expect(await refusal({ archive: await modelArchive(files) })).toContain(message);
  });
});

test('without a price and without a bound the run is planned and the price said to be unknown', async () => {
  const store = await frozenDrop({
    pipeline: {
      ...PIPELINE,
      transform: { instanceTypes: ['ml.m99.xlarge'] },
      limits: { maxCostUsd: null, maxCostUsdPerDay: null },
    },
  });
  await expect(plan(store)).resolves.toMatchObject({ costQuoteUsd: null });
  expect(written(store).notes.join()).toContain('the cost of this run is not known');
});

test('files of another kind than the rest, and hidden ones, are noted before any job', async () => {
  const png = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1');
  const store = await frozenFiles({ 'a.png': png, 'b.png': png, 'notes.txt': 'x' });
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!);
  store.put(
    bucketLayout.frozen(PARTS),
    JSON.stringify({ ...frozen, hidden: { count: 2, first: ['incoming/shapes/monday/.DS_Store'] } }),
  );
  await plan(store);
  expect(written(store).notes).toEqual([
    expect.stringMatching(
      /^2 files are not inputs, such as "incoming\/shapes\/monday\/\.DS_Store": .* never reach the model$/,
    ),
    expect.stringMatching(/^1 of 3 inputs is of another kind than the rest \(images\): 1 text, such as /),
  ]);
});

test('pipelines/prices.json overrides the price', async () => {
  const store = await frozenDrop();
  store.put(bucketLayout.prices(), JSON.stringify({ date: '2026-02-01', usdPerHour: { 'ml.m5.xlarge': 9 } }));
  await plan(store);
  expect(written(store).cost).toMatchObject({
    hourlyUsd: 9,
    source: 'override',
    priceTableDate: '2026-02-01',
  });
});

test('a pipelines/prices.json that cannot be read refuses the run, since its price would be another', async () => {
  const store = await frozenDrop();
  store.put(bucketLayout.prices(), '{');
  await expect(plan(store)).rejects.toThrow(/^pipelines\/prices\.json is not JSON/);
});

describe('labels', () => {
  const LABELS = `${bucketLayout.dropFolder(aDrop('shapes/monday'))}labels.csv`;
  const inFile = truthOf({ from: 'file' });
  const noted = (store: MemoryObjectStore) => written(store).notes.filter((note) => note.includes('truth'));
  const labelNotes = (store: MemoryObjectStore) =>
    written(store).notes.filter((note) => /labels?\.(truth|csv)|no label/.test(note));
  const NONE = { count: 0, examples: [] };
  const strictly = (truth: unknown) => ({ ...PIPELINE, labels: { ...PIPELINE.labels, truth, strict: true } });

  test('in a file with a broken line are refused before anything is paid for', async () => {
    const store = await frozenDrop({ pipeline: inFile });
    store.put(LABELS, 'key,label\na.png,circle\nb.png\n');
    await expect(plan(store)).rejects.toThrow(
      'labels.csv line 3 must be a row with columns "key" and "label", is "b.png"',
    );
  });

  test('in a file that S3 fails to give are not taken for a broken file', async () => {
    const before: MemoryObjectStoreOptions['before'] = ({ operation, key }) => {
      if (operation === 'GET' && key === LABELS) throw new Error('connection reset');
    };
    const store = await frozenDrop({ pipeline: inFile, store: { before } });
    store.put(LABELS, 'key,label\na.png,circle\n');
    await expect(plan(store)).rejects.toThrow('connection reset');
    expect(store.text(bucketLayout.problems(PARTS))).toBeUndefined();
  });

  test.each([
    ['in keys', { from: 'key', pattern: '-([a-z]+)\\.png$' }, 'finds no label for any of 2 inputs, such as'],
    ['in folders', { from: 'folder' }, 'labels.truth finds no label for any of 2 inputs'],
    ['in a file', { from: 'file' }, 'labels.csv finds no label for any of 2 inputs'],
  ])('%s that are not there are noted, and the inputs predicted all the same', async (_, truth, note) => {
    const store = await frozenDrop({ pipeline: truthOf(truth) });
    if (truth.from === 'file') store.put(LABELS, 'key,label\n');
    await plan(store);
    expect(labelNotes(store)).toEqual([expect.stringContaining(note)]);
  });

  test('that no input has refuse a run whose gate needs them, with the pattern and the keys that it was tried on', async () => {
    const truth = { from: 'key', pattern: '-([a-z]+)\\.jpg$' };
    const pipeline = { ...truthOf(truth), gate: { minAccuracy: 0.9 } };
    const message = await refusal({ pipeline, files: { 'a-circle.png': 1, 'b-square.png': 1 } });
    expect(message).toMatch(
      /labels\.truth\.pattern finds no label for any of 2 inputs; it was tried on .*a-circle\.png; .*b-square\.png/,
    );
    const free = { ...pipeline, gate: { maxErrorRate: 0.1 } };
    await plan(await frozenDrop({ pipeline: free, files: { 'a-circle.png': 1 } }));
  });

  const FILES = { 'circle/a.png': 1, 'circle/b.png': 1, 'oval/c.png': 1, 'd.png': 1 };
  const FOUND = { noInput: NONE, conflicting: NONE };
  const prefix = bucketLayout.dropFolder(aDrop('shapes/monday'));
  const c = `${prefix}oval/c.png`;
  const d = `${prefix}d.png`;

  test.each([
    ['folder', { from: 'folder' }],
    ['pattern', { from: 'key', pattern: 'monday/([a-z]+)/' }],
    ['pattern that only RE2 takes', { from: 'key', pattern: '(?P<class>circle|oval)/[a-c]' }],
  ])('of a %s are counted and listed, and refused where labels.strict says so', async (_, truth) => {
    const store = await frozenDrop({ pipeline: truthOf(truth), files: FILES });
    await plan(store);
    expect(written(store).labels.check).toEqual({
      inputs: 4,
      isWhole: true,
      labeled: 3,
      noClass: { count: 1, examples: [`"oval" of ${c}`] },
      unlabeled: { count: 1, examples: [d] },
      ...FOUND,
    });
    expect(labelNotes(store)).toEqual([
      `1 of 4 inputs has no label, such as ${d}: what has no label is predicted, and counts in no figure of quality`,
      expect.stringContaining(
        '1 of the labels that labels.truth gives is not in labels.classes, such as "oval" of',
      ),
    ]);
    const message = await refusal({ pipeline: strictly(truth), files: FILES });
    expect(message.split('\n')).toEqual([
      expect.stringContaining('pipeline.json: labels.strict refuses the run: 1 of 4 inputs has no label'),
      expect.stringContaining(
        'pipeline.json: labels.strict refuses the run: 1 of the labels that labels.truth gives',
      ),
    ]);
  });

  const ROWS =
    'key,label\ncircle/a.png,circle\nx.png,circle\ncircle/a.png,square\ncircle/b.png,square\ncircle/b.png,square\noval/c.png,oval\n' +
    'circle/a.png,circle\n';

  test('of a file are counted and listed: no class, no file, two labels for a key, none', async () => {
    const store = await frozenDrop({ pipeline: inFile, files: FILES });
    store.put(LABELS, ROWS);
    await plan(store);
    expect(written(store).labels.check).toEqual({
      inputs: 4,
      isWhole: true,
      labeled: 3,
      noClass: { count: 1, examples: [`"oval" of ${c}`] },
      noInput: { count: 1, examples: [`${prefix}x.png`] },
      conflicting: { count: 1, examples: [`${prefix}circle/a.png ("circle", then "square")`] },
      unlabeled: { count: 1, examples: [d] },
    });
    expect(labelNotes(store)).toHaveLength(4);
  });

  test('of a file are refused where labels.strict says so, with each kind of mistake', async () => {
    const store = await frozenDrop({ pipeline: strictly({ from: 'file' }), files: FILES });
    store.put(LABELS, ROWS);
    const error = await plan(store).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ name: 'PlanRefused' });
    expect((error as Error).message.split('\n')).toEqual([
      expect.stringContaining('1 of 4 inputs has no label'),
      expect.stringContaining('is not in labels.classes'),
      expect.stringContaining('1 row of labels.csv names no file'),
      expect.stringContaining('labels.csv gives two different labels to 1 key'),
    ]);
    expect(store.text(bucketLayout.plan(PARTS))).toBeUndefined();
  });

  test('of a file that are all as they should be are planned, also for strict pipelines', async () => {
    const store = await frozenDrop({ pipeline: strictly({ from: 'file' }) });
    store.put(LABELS, 'key,label\na.png,circle\nb.png,square\n');
    await plan(store);
    expect(labelNotes(store)).toEqual([]);
  });

  test('that fit two readings are refused with both, and the commands that settle it', async () => {
    const pipeline = {
      ...PIPELINE,
      labels: { classes: ['1', '2', '3'], truth: { from: 'folder' } },
    };
    const files = { '1/a.png': 1, '2/b.png': 1 };
    expect(await refusal({ pipeline, files })).toBe(
      'pipeline.json: labels.numbers must be "names" (1 is "1", 2 is "2") or "index" (1 is "2", 2 is "3"), is null: ' +
        'the labels of the drop are ' +
        'numbers ("1", "2") that fit both the names of labels.classes and places in it, with different classes. Set it, then inferdrop ' +
        'pipeline put FOLDER --name shapes and inferdrop rerun shapes/monday/000001',
    );
  });

  test('of a table with a column for each class are read, wherever the columns stand', async () => {
    const pipeline = { ...PIPELINE, labels: { ...PIPELINE.labels, truth: { from: 'file' } } };
    const store = await frozenDrop({ pipeline, files: { 'a.png': 1, 'b.png': 1 } });
    store.put(LABELS, ',photo,square,circle\n0,a.png,1,0\n1,b.png,0,1\n');
    await plan(store);
    expect(written(store).labels.reading).toEqual({
      numbers: 'names',
      hasNumbers: false,
      isSet: false,
      counts: [1, 1],
      from: 'labels.csv, columns "photo" and one of each class, 2 rows',
      examples: [
        { where: `${prefix}a.png`, label: 'square', class: 'square' },
        { where: `${prefix}b.png`, label: 'circle', class: 'circle' },
      ],
    });
  });

  describe('of names with accents', () => {
    const names = ['é.png', 'Ünï/ç.png', '가.png', '中.png'];
    const to = (form: string) => names.map((name) => name.normalize(form));
    const mixed = [...to('NFC').slice(0, 2), ...to('NFD').slice(2)];
    const both = ['é.png'.normalize('NFC'), 'é.png'.normalize('NFD')];

    test.each([
      ['the file composes them, and macOS has decomposed the names', 'NFD', 'csv', to('NFD'), to('NFC'), 4],
      ['the file decomposes them, and the names do not', 'NFC', 'csv', to('NFC'), to('NFD'), 4],
      ['the file is JSON Lines', 'NFD', 'jsonl', to('NFD'), to('NFC'), 4],
      ['both mix the forms alike', 'either', 'csv', mixed, mixed, 4],
      ['two names look alike: each key is that of its own', 'either', 'csv', both, both, 2],
      ['names that mix the forms stay as they are', 'either', 'csv', mixed, to('NFC'), 3],
    ])('%s', async (_case, _form, ending, files, keys, labeled) => {
      const truth = { from: 'file', path: `labels.${ending}` };
      const store = await frozenDrop({
        pipeline: truthOf(truth),
        files: Object.fromEntries(files.map((name) => [name, 1])),
      });
      const label = (at: number) => ['circle', 'square'][at % 2];
      const lines = keys.map((key, at) =>
        ending === 'csv' ? `${key},${label(at)}` : JSON.stringify({ key, label: label(at) }),
      );
      store.put(
        LABELS.replace('csv', ending),
        (ending === 'csv' ? 'file,label\n' : '') + lines.toReversed().join('\n'),
      );
      await plan(store);
      const { check, reading } = written(store).labels;
      expect([check?.labeled, check?.conflicting.count, check?.noInput.count]).toEqual([
        labeled,
        0,
        files.length - labeled,
      ]);
      for (const { where, class: name } of reading?.examples ?? [])
        expect(name).toBe(label(files.indexOf(where.slice(prefix.length))));
    });
  });

  test('of files that earlier runs of the drop had are not an error', async () => {
    const store = await frozenDrop({ pipeline: strictly({ from: 'file' }) });
    store.put(`${prefix}earlier.png`, 'x');
    store.put(LABELS, 'key,label\na.png,circle\nb.png,square\nearlier.png,circle\n');
    await expect(plan(store)).resolves.toMatchObject({ status: 'planned' });
  });

  test('in a file are kept as they were read, whatever is uploaded later', async () => {
    const store = await frozenDrop({ pipeline: inFile });
    store.put(LABELS, 'b.png,square\n');
    await plan(store);
    store.put(LABELS, 'b.png,circle\n');
    const { file, index } = written(store).labels;
    expect(store.text(file!)).toBe('b.png,square\n');
    const { parts } = LabelIndex.parse(JSON.parse(store.text(index!)!));
    expect(parts.map(({ object }) => store.text(object))).toEqual([
      '["incoming/shapes/monday/b.png","square"]\n',
    ]);
  });

  test.each([
    ['replaced', (store: MemoryObjectStore) => store.put(LABELS, 'b.png,circle\n'), 'b.png,circle\n'],
    ['removed', (store: MemoryObjectStore) => store.remove(LABELS), null],
  ])('in a file that is %s while the run is planned are read again', async (_, change, then) => {
    let changes = 1;
    const store = await frozenDrop({
      pipeline: inFile,
      store: {
        before: ({ operation }, phase) => {
          if (operation === 'COPY' && phase === 'request' && changes-- > 0) change(store);
        },
      },
    });
    store.put(LABELS, 'b.png,square\n');
    expect(await plan(store)).toEqual({ status: 'waiting', waitSeconds: 1 });
    expect(store.text(bucketLayout.plan(PARTS))).toBeUndefined();
    expect(await plan(store)).toMatchObject({ status: 'planned' });
    const { file } = written(store).labels;
    expect(file === null ? null : store.text(file)).toBe(then);
  });

  test.each([
    [
      'not allowed to read any',
      null,
      'labels.csv is not read: labels.truth is null, and {"from": "file", "path": "labels.csv"} would read it',
    ],
    [
      'allowed to read another',
      { from: 'file', path: 'labels.jsonl' },
      'labels.csv is not read: labels.truth reads labels.jsonl',
    ],
  ])('in a file are noted where a run is %s', async (_, truth, note) => {
    const store = await frozenDrop({ pipeline: truthOf(truth) });
    store.put(LABELS, 'key,label\na.png,circle\n');
    store.put(LABELS.replace('.csv', '.jsonl'), '{"key": "a.png", "label": "circle"}\n');
    await plan(store);
    expect(noted(store)).toContain(note);
  });

  test('are found beside whatever record they are of', async () => {
    const store = await frozenDrop({ pipeline: inFile });
    store.put(LABELS, 'key,index,label\na.png,1,circle\nb.png,2,circle\n');
    await plan(store);
    expect(noted(store)).toEqual([]);
  });

  test('of an input that is one record are of that record, whatever place they name', async () => {
    const store = await frozenDrop({ pipeline: inFile });
    store.put(LABELS, 'key,index,label\na.png,1,circle\na.png,2,square\nb.png,0,circle\n');
    await plan(store);
    expect(written(store).labels.check).toMatchObject({
      conflicting: { count: 1, examples: [`${prefix}a.png ("circle", then "square")`] },
    });
  });
});

test('a job.json of more than a megabyte is refused without being read', async () => {
  const store = await frozenDrop({ job: `{}${' '.repeat(2_000_000)}` });
  await expect(plan(store)).rejects.toThrow(/^job.json must have at most 1000000 bytes, has 2000002$/);
  const read = store.requests.filter(({ operation }) => operation === 'GET').map(({ key }) => key);
  expect(read).not.toContain('incoming/shapes/monday/job.json');
});

describe('settings that would cut a run are noted before money is spent', () => {
  const notesOf = async (mark: object | undefined, fixture: DropFixture = {}): Promise<string> => {
    const store = await frozenDrop(fixture);
    const facts = { schema: 1, run: RUN, executionArn: 'arn', at: NOW.toISOString() };
    if (mark !== undefined) store.put(bucketLayout.freezing(PARTS), JSON.stringify({ ...facts, ...mark }));
    await plan(store);
    return written(store).notes.join('\n');
  };

  test('a quote longer than limits.maxRuntimeMinutes', async () => {
    const pipeline = { ...PIPELINE, limits: { maxRuntimeMinutes: 4 } };
    expect(await notesOf({ isCut: false }, { pipeline })).toBe('');
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}.png`, 95e6]));
    expect(await notesOf({ isCut: false }, { pipeline, files })).toBe(
      'the job is quoted at 5 minutes, limits.maxRuntimeMinutes is 4: past it no further job starts, and one that ' +
        'still runs after 4.8 minutes is stopped and what it has predicted is lost: raise limits.maxRuntimeMinutes or ' +
        'transform.instanceCount',
    );
  });

  test('an upload that drop.maxWaitMinutes was too short for', async () => {
    expect(await notesOf({ isCut: true })).toBe(
      'files were still arriving when drop.maxWaitMinutes 30 ended the waiting: those that came later make a run of ' +
        'their own. Raise drop.maxWaitMinutes, or set it to 10080 and upload _READY last',
    );
    for (const mark of [undefined, { isCut: false }]) expect(await notesOf(mark)).toBe('');
  });
});
