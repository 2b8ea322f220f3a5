import { describe, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { readConfiguration } from '../../../src/app/plan/open/read-configuration.ts';
import { checkTruth } from '../../../src/app/plan/read/check-truth.ts';
import { noteUnreadLabels } from '../../../src/app/plan/read/read-found.ts';
import { readModel } from '../../../src/app/plan/read/read-model.ts';
import { PipelineConfig } from '../../../src/pipeline/pipeline-config.ts';
import { planningOf } from '../../../src/plan/engine/engine-of.ts';
import { judgeModel } from '../../../src/plan/judge/judge-model.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { type DropFixture, frozenDrop, PARTS, PIPELINE, SERVABLE } from '../../support/drop-fixture.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { savedModelProto } from '../../support/saved-model-proto.ts';

const PREFIX = 'incoming/shapes/monday/';
const truthOf = (truth: unknown, more: object = {}) => ({
  ...PIPELINE,
  labels: { ...PIPELINE.labels, truth, ...more },
});

describe('the configuration of a run', () => {
  const read = async (fixture: DropFixture, others: Readonly<Record<string, string>> = {}) => {
    const store = await frozenDrop(fixture);
    for (const [key, text] of Object.entries(others)) store.put(key, text);
    const found = await readConfiguration(store, PARTS, ['other']);
    const problems = found.problems.map(({ file, field, message }) => `${file}|${field}|${message}`);
    return { ...found, problems };
  };
  const has = (text: string) => expect.stringContaining(text);

  test.each<[string, DropFixture, Record<string, string>, readonly string[]]>([
    ['is right', {}, {}, []],
    ['with prices', {}, { 'pipelines/prices.json': '{"date":"2026-01-01","usdPerHour":{}}' }, []],
    ['with broken prices', {}, { 'pipelines/prices.json': '{' }, [has('pipelines/prices.json||is not JSON')]],
    [
      'without its pipeline, which the plan lacks',
      { pipeline: null, archive: null },
      {},
      [
        'pipelines/shapes/pipeline.json||does not exist: there are no pipelines yet. Write ' +
          's3://bucket/pipelines/shapes/pipeline.json, or drop the files under incoming/ of a pipeline that exists',
      ],
    ],
    [
      'without its pipeline, of which there are others',
      { pipeline: null, archive: null },
      Object.fromEntries(
        Array.from({ length: 22 }, (_, at) => [`pipelines/p${10 + at}/pipeline.json`, '{}']),
      ),
      [expect.stringMatching(/the pipelines are p10, .*, p29, and 2 more\. Write/)],
    ],
    [
      'without its file of labels, which may come later',
      { pipeline: truthOf({ from: 'file', path: 'labels.jsonl' }) },
      {},
      [],
    ],
    [
      'without its file of labels, each of which must be known',
      { pipeline: truthOf({ from: 'file', path: 'labels.jsonl' }, { strict: true }) },
      {},
      [
        'pipeline.json|labels.truth.path|names a file that the drop does not have: upload it to ' +
          'incoming/shapes/monday/labels.jsonl before the images',
      ],
    ],
    [
      'with a manifest elsewhere',
      { job: { input: { manifest: 's3://foreign/x' } } },
      {},
      [has('job.json|input.manifest|must begin with')],
    ],
    ['with a prefix of its own', { job: { input: { s3Prefix: 's3://other/x/' } } }, {}, []],
    ['with a baseline of its own', { job: { report: { baseline: 'shapes/friday/000001' } } }, {}, []],
    ['with the last baseline', { job: { report: { baseline: 'last-passed' } } }, {}, []],
    [
      'with a baseline of another pipeline',
      { job: { report: { baseline: 'birds/friday/000001' } } },
      {},
      [
        has(
          'job.json|report.baseline|must be "last-passed" or a run of shapes, is "birds/friday/000001": only',
        ),
      ],
    ],
    [
      'with a baseline in capitals, which is no run',
      { job: { report: { baseline: 'Shapes/friday/000001' } } },
      {},
      [has('job.json|report.baseline|must be "last-passed" or a run of shapes')],
    ],
  ])('%s', async (_, fixture, others, problems) => {
    expect((await read(fixture, others)).problems).toEqual(problems);
  });

  test.each([
    [{}, 'pipeline.json', []],
    [{ labels: { classes: ['x', 'y'] } }, 'job.json', ['labels.classes']],
    [{ labels: { truth: { from: 'folder' } } }, 'job.json', ['labels.truth']],
    [{ transform: { maxConcurrentTransforms: 3 } }, 'pipeline.json', []],
  ])(
    'with the job.json %j has its labels from %s, and is judged by the drop in %j',
    async (job, file, fields) => {
      const found = await read({ job });
      expect(found).toMatchObject({ labelsFile: file, judgedByDrop: fields, problems: [] });
      // What pipeline.json says is judged alike, whatever a drop changes.
      expect(found.judging).toBe((await read({})).judging);
    },
  );

  test('cannot be judged without pipeline.json', async () => {
    for (const pipeline of [null, '{'])
      expect(await read({ pipeline })).toMatchObject({ config: undefined, judging: null, judgedByDrop: [] });
  });
});

describe('the model', () => {
  async function preflight(settings: object, archive?: Uint8Array | string) {
    const store = await frozenDrop(archive === undefined ? {} : { archive });
    const shared = await modelArchive(SERVABLE);
    store.put('shared/model.tar.gz', shared);
    store.in('other').put('model.tar.gz', shared);
    store.put('incoming/shapes/model.tar.gz', shared);
    const config = PipelineConfig.parse({ ...PIPELINE, model: { ...PIPELINE.model, ...settings } });
    const model = await readModel(store, PARTS, { config, readBuckets: ['other'] });
    const judging = { run: PARTS, bucket: 'bucket', config, planning: planningOf('sagemaker') };
    return { store, model, found: judgeModel(model, judging) };
  }

  test.each([
    ['pipelines/shapes/model.tar.gz', 's3://bucket/'],
    ['shared/model.tar.gz', 's3://bucket/'],
    ['model.tar.gz', 's3://other/'],
  ])('at %s in %s is read with its version and digest', async (key, bucket) => {
    const { store, model, found } = await preflight(
      key.startsWith('pipelines') ? {} : { artifact: bucket + key },
    );
    const info = (bucket === 's3://other/' ? store.in('other') : store).info(key)!;
    expect(model).toMatchObject({
      artifact: bucket + key,
      place: { versionId: info.versionId, etag: info.etag },
      archive: { sizeBytes: info.size, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(found).toMatchObject({ problems: [], answers: { isPlain: false } });
  });

  test.each([
    [
      's3://foreign/model.tar.gz',
      /must begin with s3:\/\/bucket\/pipelines\/shapes\/ or .* or s3:\/\/other\//,
    ],
    ['s3://bucket/incoming/shapes/model.tar.gz', /must begin with/],
    ['s3://bucket/pipelines/other/model.tar.gz', /must begin with s3:\/\/bucket\/pipelines\/shapes\//],
    ['s3://bucket/pipelines/shapes-2/model.tar.gz', /must begin with/],
    ['s3://other/none.tar.gz', /points to s3:\/\/other\/none.tar.gz, which does not exist: upload it/],
  ])('at %s is refused', async (artifact, message) => {
    expect((await preflight({ artifact })).found).toMatchObject({
      problems: [
        {
          file: 'pipeline.json',
          field: 'model.artifact',
          value: JSON.stringify(artifact),
          message: expect.stringMatching(message),
        },
      ],
    });
  });

  test('without a handler answers as its signature says, and one in an image of its own is not looked into', async () => {
    const plain = await modelArchive({ '1/saved_model.pb': savedModelProto({ y: { sizes: [3] } }) });
    const { found } = await preflight({ networkIsolation: false }, plain);
    expect(found.answers).toMatchObject({
      isPlain: true,
      signature: { outputs: [{ name: 'y' }] },
    });
    const empty = await modelArchive({ 'weights.bin': 'x' });
    expect((await preflight({}, empty)).found.problems).not.toEqual([]);
    const own = await preflight({ image: '000000000000.dkr.ecr.us-east-1.amazonaws.com/own:1' }, empty);
    expect(own.found).toMatchObject({ problems: [], answers: { isPlain: false } });
  });
});

describe('labels by a pattern', () => {
  const entries = Array.from({ length: 20_001 }, (_, at) => ({
    name: `${PREFIX}cat/${at}.png`,
    size: 1,
    content: 'e',
    lastModified: '2026-03-01T12:00:00.000Z',
  }));
  test.each([
    ['that only RE2 takes are checked for 20,000 keys', '(?P<class>cat)', 20_001, 20_000, false],
    ['that only RE2 takes are all checked where there are no more', '(?P<class>cat)', 20_000, 20_000, true],
    ['that JavaScript takes are all checked', '(cat)', 20_001, 20_001, true],
  ])('%s', async (_, pattern, count, inputs, isWhole) => {
    const sources = {
      truth: { from: 'key' as const, pattern },
      classes: ['cat'],
      numbers: null,
      isOneRecord: true,
      isOpened: false,
      input: { bucket: 'bucket', prefix: PREFIX },
      columns: [],
      onRow: () => undefined,
    };
    const { look, finish } = checkTruth(memoryObjectStore(), PARTS, sources, null);
    await look(entries.slice(0, 9_000));
    await look(entries.slice(9_000, count));
    expect(await finish()).toMatchObject({
      check: { inputs, labeled: inputs, isWhole },
      tooMany: undefined,
    });
  });
});

test.each([
  [null, 'labels.truth is null, and {"from": "file", "path": "labels.csv"} would read it'],
  [{ from: 'folder' } as const, 'labels.truth is {"from": "folder"}, and {"from": "file"'],
  [{ from: 'file', path: 'labels.jsonl', column: null } as const, 'labels.truth reads labels.jsonl'],
  [{ from: 'file', path: 'labels.csv', column: null } as const, undefined],
])('by the labels %j a labels.csv is not read, which is noted', async (truth, note) => {
  const store = memoryObjectStore();
  const missing =
    truth?.from === 'file'
      ? [
          `${truth.path} is not there: predictions without figures. Upload it later to ${PREFIX}${truth.path}: no job runs again`,
        ]
      : [];
  expect(await noteUnreadLabels(store, PARTS, truth)).toEqual(missing);
  store.put(`${bucketLayout.dropFolder(PARTS)}labels.csv`, '');
  expect(await noteUnreadLabels(store, PARTS, truth)).toEqual(
    note === undefined ? [] : [...missing, expect.stringContaining(`labels.csv is not read: ${note}`)],
  );
});
