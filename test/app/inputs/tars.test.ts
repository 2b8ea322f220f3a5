import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { imageFacts } from '../../../functions/runtime/image-facts.ts';
import { thumbnail } from '../../../functions/runtime/thumbnail.ts';
import { testEndpoint } from '../../../src/app/endpoint/test-endpoint.ts';
import { indexTars } from '../../../src/app/inputs/index-tars.ts';
import { planRun } from '../../../src/app/plan/plan-run.ts';
import { readInputs } from '../../../src/app/records/inputs.ts';
import { readInput } from '../../../src/app/records/open-input.ts';
import { readReconciled } from '../../../src/app/records/reconciled.ts';
import { foldPredictions } from '../../../src/app/report/fold-predictions.ts';
import { writeReport } from '../../../src/app/report/write-report.ts';
import { readPicture } from '../../../src/app/review/read-picture.ts';
import { Plan } from '../../../src/plan/plan.ts';
import { PlanRefused } from '../../../src/plan/refused.ts';
import { Report } from '../../../src/report/report.ts';
import { bucketLayout } from '../../../src/run/bucket-layout.ts';
import { drive, PREFIX, record } from '../../support/drive-transform.ts';
import { type DropFixture, NOW, PARTS, PIPELINE, RUN, SETTINGS } from '../../support/drop-fixture.ts';
import { memoryEngineLogs } from '../../support/memory-engine-logs.ts';
import type { MemoryObjectStore } from '../../support/memory-object-store.ts';
import { memorySageMaker } from '../../support/memory-sagemaker.ts';
import { type PackedMember, packedTar } from '../../support/packed-tar.ts';
import { frozenFiles, md5, openAllTars, planWithTars } from '../../support/tar-drop.ts';

const clock = () => NOW;
const CIRCLE = '{"predictions": [[0.9, 0.1]]}';
const FOLDERS: DropFixture = {
  pipeline: { ...PIPELINE, labels: { ...PIPELINE.labels, truth: { from: 'folder' } } },
};
const UNPACKED = bucketLayout.unpacked(PARTS);
/** Requests of single files, for which members are unpacked at once. */
const ONE_BY_ONE: DropFixture = { pipeline: { ...PIPELINE, transform: { bundle: 'never' } } };

/** The inputs of the planned run by their names below the drop: content, size, or why they cannot be read. */
async function listed(store: MemoryObjectStore) {
  const inputs = await Array.fromAsync(readInputs(store, PARTS));
  return Object.fromEntries(
    inputs.map(({ name, content, size, defect, label }) => [
      name.slice(PREFIX.length),
      defect ?? (label === undefined ? [content, size] : [content, size, label]),
    ]),
  );
}
const planOf = (store: MemoryObjectStore) => Plan.parse(JSON.parse(store.text(bucketLayout.plan(PARTS))!));
const sentIn = (store: MemoryObjectStore) =>
  planOf(store).jobs.flatMap(({ input }) => JSON.parse(store.text(input)!) as unknown[]);
const problemsOf = (store: MemoryObjectStore): unknown[] =>
  JSON.parse(store.text(bucketLayout.problems(PARTS))!).problems;
const inTar = (text: string): [string, number] => [md5(text), Buffer.byteLength(text)];

test('PlanRun has tars opened once, and each member is then an input of its own among the objects', async () => {
  const store = await frozenFiles(
    {
      'a.tar': await packedTar({ 'cat/1.png': 'one', './2.png': 'two' }),
      'a.tar-2.png': 'between',
      'b.tar.gz': gzipSync(await packedTar({ '1.png': 'gz' })),
      'z.png': 'last',
    },
    ONE_BY_ONE,
  );
  const services = { store, clock, settings: SETTINGS };
  expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'index', tars: 2 });
  // A retry before the tars are opened asks again.
  expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'index', tars: 2 });
  await openAllTars(store, PARTS, 2);
  expect(await planRun({ run: PARTS }, services)).toMatchObject({ status: 'planned', objects: 5 });
  const inputs = await listed(store);
  expect(Object.entries(inputs)).toEqual([
    ['a.tar-2.png', [md5('between'), 7]],
    ['a.tar/2.png', inTar('two')],
    ['a.tar/cat/1.png', inTar('one')],
    ['b.tar.gz/1.png', inTar('gz')],
    ['z.png', inTar('last')],
  ]);
  expect(sentIn(store)).toEqual([{ prefix: `s3://bucket/${UNPACKED}` }, ...Object.keys(inputs)]);
  expect(Object.keys(inputs).map((name) => store.text(UNPACKED + name))).toEqual([
    'between',
    'two',
    'one',
    'gz',
    'last',
  ]);
  expect(planOf(store).notes.join('\n')).toContain('2 tars of the drop are opened');
});

test('bytes are read from the tar itself, or where they are unpacked from a compressed one', async () => {
  const store = await frozenFiles({
    'a.tar': await packedTar({ 'x.png': 'first', 'y.png': 'second' }),
    // By its name it is not compressed.
    'b.tar': gzipSync(await packedTar({ 'x.png': 'third' })),
  });
  await planWithTars(store);
  const texts = [];
  for await (const input of readInputs(store, PARTS)) {
    const whole = Buffer.from((await readInput(store, input))!).toString();
    const part = Buffer.from((await readInput(store, input, { start: 1, end: 3 }))!).toString();
    texts.push([whole, part]);
  }
  expect(texts).toEqual([
    ['first', 'ir'],
    ['second', 'ec'],
    ['third', 'hi'],
  ]);
});

test('what cannot be an input is told by name, and costs no other member', async () => {
  const damaged = await packedTar({ 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' });
  damaged[1024] = 0x7f;
  const whole = await packedTar({ 'a.png': 'a', 'b.png': 'x'.repeat(2000) });
  const packed = gzipSync(await packedTar({ 'a.png': 'a', 'b.png': 'x'.repeat(200_000) }), { level: 0 });
  const members: [string, PackedMember][] = [
    ['ok.png', 'ok'],
    ['._ok.png', 'a Mac’s'],
    ['folder/', { type: 'directory' }],
    ['link.png', { type: 'symlink', linkname: 'ok.png' }],
    ['/root.png', 'x'],
    ['../up.png', 'x'],
    ['twice.png', 'x'],
    ['twice.png', 'y'],
    ['empty.png', ''],
    ['inner.tar', 'x'],
  ];
  const store = await frozenFiles({
    'cut.tar': whole.subarray(0, 2000),
    'damaged.tar': damaged,
    'empty.tar': '',
    'good.tar': await packedTar({ 'a.png': 'good' }),
    'both.tar': await packedTar({ 'x.png': 'member' }),
    'both.tar/x.png': 'object',
    'hostile.tar': await packedTar(members),
    'none.tar': await packedTar({ 'folder/': { type: 'directory' } }),
    'text.tar': 'not a tar '.repeat(200),
    'bz2.tar': Buffer.concat([Buffer.from('BZh91AY&SY'), Buffer.alloc(2000, 7)]),
    'BZh.tar': await packedTar({ 'BZh9.png': 'a name' }),
    'zstd.tar': Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.alloc(2000, 7)]),
    'zip.tgz': packed.subarray(0, 100_000),
  });
  await planWithTars(store);
  const foreign = (what: string) =>
    `is compressed with ${what}: unpack it, or if it is a tar, compress it with gzip`;
  expect(await listed(store)).toEqual({
    'BZh.tar/BZh9.png': inTar('a name'),
    'both.tar/x.png': `is more than one: an object and a member of "${PREFIX}both.tar". Rename one`,
    'cut.tar': 'it stops within "b.png"',
    'cut.tar/a.png': inTar('a'),
    'cut.tar/b.png': 'is cut off: its tar stops within it',
    'damaged.tar': 'the header at byte 1024 is damaged',
    'damaged.tar/a.png': inTar('a'),
    'damaged.tar/c.png': inTar('c'),
    'empty.tar': 'it stops without an end mark: it was cut short',
    'good.tar/a.png': inTar('good'),
    'hostile.tar//root.png': 'has an absolute path',
    'hostile.tar/../up.png': 'has a path with ".."',
    'hostile.tar/empty.png': inTar(''),
    'hostile.tar/inner.tar': 'is a tar within a tar: drop it next to the others',
    'hostile.tar/link.png': 'is a symbolic link',
    'hostile.tar/ok.png': inTar('ok'),
    'hostile.tar/twice.png': `is more than once in "${PREFIX}hostile.tar": pack it once`,
    'none.tar': 'has no file in it',
    'text.tar': 'the header at byte 0 is damaged',
    'bz2.tar': foreign('bzip2'),
    'zstd.tar': foreign('zstd'),
    'zip.tgz': expect.stringContaining('cannot be unzipped to its end, from "b.png" on: '),
    'zip.tgz/a.png': inTar('a'),
  });
  const { excluded, objects, notes } = planOf(store);
  expect([objects, excluded]).toEqual([7, { unreadable: 15, empty: 1, 'too-large': 0, 'key-too-long': 0 }]);
  expect(notes.join('\n')).toMatch(/not inputs: 1 member of tars, such as ".*hostile.tar\/\._ok.png"/);
  expect(store.keys(UNPACKED).filter((key) => key.includes('..'))).toEqual([]);
});

test('a member of a compressed tar whose copy S3 would not take is told by name, and no job is sent it', async () => {
  const room = 1024 - Buffer.byteLength(`${UNPACKED}a.tgz/`);
  const [fits, tooLong] = ['é'.repeat(room / 2 - 3), 'é'.repeat(room / 2)].map(
    (name) => `${name}${'x'.repeat(room % 2)}.png`,
  );
  expect(Buffer.byteLength(tooLong!)).toBeGreaterThan(room);
  const tar = await packedTar({ [fits!]: 'one', [tooLong!]: 'two' });
  const pipeline = { ...PIPELINE, transform: { engine: 'lambda' } };
  const store = await frozenFiles({ 'a.tgz': gzipSync(tar), 'b.tar': tar }, { pipeline });
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    [`a.tgz/${fits}`]: inTar('one'),
    [`a.tgz/${tooLong}`]: 'would have a copy with a key of more than 1024 bytes: shorten its path',
    [`b.tar/${fits}`]: inTar('one'),
    [`b.tar/${tooLong}`]: inTar('two'),
  });
  expect(store.keys('staged/')).toEqual([`${UNPACKED}a.tgz/${fits}`]);
  expect(planOf(store).excluded).toMatchObject({ unreadable: 1, 'key-too-long': 0 });
});

test('a drop that has nothing readable is refused, and each tar is named', async () => {
  const store = await frozenFiles({ 'a.tar': 'no tar', 'b.tar': await packedTar({ 'x.png': '' }) });
  await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
  expect(problemsOf(store)).toMatchObject([
    { file: 'drop', message: expect.stringContaining('1 unreadable, 1 empty') },
    { file: `${PREFIX}a.tar`, message: 'it stops without an end mark: it was cut short' },
  ]);
});

test('a wrong setting is refused before a tar is opened', async () => {
  const labels = { ...PIPELINE.labels, truth: { from: 'member', extension: 'json', path: 'label' } };
  const store = await frozenFiles({ 'a.tar': 'x' }, { pipeline: { ...PIPELINE, labels } });
  await expect(planWithTars(store)).rejects.toThrow(PlanRefused);
  expect(problemsOf(store)).toMatchObject([
    { field: 'labels.truth.path', message: 'must start with $, which stands for the record, is "label"' },
  ]);
  expect(store.text(bucketLayout.tars(PARTS))).toBeUndefined();
});

test('a model that takes tars is sent them as they are', async () => {
  const transform = { contentType: 'application/x-tar' };
  const store = await frozenFiles({ 'a.tar': 'x' }, { pipeline: { ...PIPELINE, transform } });
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 1 });
  expect(sentIn(store)).toEqual([{ prefix: `s3://bucket/${PREFIX}` }, 'a.tar']);
});

test('a member above the payload limit is listed and not unpacked', async () => {
  const transform = { maxPayloadInMB: 1 };
  const pipeline = { ...PIPELINE, transform };
  const tar = await packedTar({ 'big.png': 'x'.repeat(2_000_000), 'small.png': 'x' });
  const store = await frozenFiles({ 'a.tar': tar }, { pipeline });
  await planWithTars(store);
  expect(planOf(store).excluded).toMatchObject({ 'too-large': 1 });
  expect(store.keys(UNPACKED)).toEqual([`${UNPACKED}a.tar/small.png`]);
});

test('members beyond what limits.maxCostUsd pays for are not unpacked', async () => {
  const pipeline = { ...PIPELINE, limits: { maxCostUsd: 0.00001 } };
  const store = await frozenFiles(
    { 'a.tar': await packedTar({ '1.png': 'x', '2.png': 'y', '3.png': 'z' }) },
    {
      pipeline,
    },
  );
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    'a.tar':
      'is read up to "3.png", the first 2 files, its part of limits.maxCostUsd: raise that, since each copy of a file is paid',
    'a.tar/1.png': inTar('x'),
    'a.tar/2.png': inTar('y'),
  });
});

test('a small tar of many members has its part of the cap beside a large one', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.png`, 'x']));
  const files = {
    'empty.tar': '',
    'large.tar': await packedTar({ '1.png': 'x'.repeat(2_000_000) }),
    'small.tar': await packedTar(many),
  };
  // 240 writes at $0.000005.
  for (const maxCostUsd of [0.0012, null]) {
    const store = await frozenFiles(files, { pipeline: { ...PIPELINE, limits: { maxCostUsd } } });
    await planWithTars(store);
    expect(planOf(store)).toMatchObject({ objects: 41, excluded: { unreadable: 1 } });
  }
});

test('a tar that is overwritten or deleted while it is opened is told, and so is one that changes later', async () => {
  const tar = await packedTar({ 'x.png': 'x' });
  const store = await frozenFiles({ 'a.tar': tar, 'b.tar': tar, 'c.tar': tar }, ONE_BY_ONE);
  const services = { store, clock, settings: SETTINGS };
  await planRun({ run: PARTS }, services);
  store.put(`${PREFIX}a.tar`, await packedTar({ 'x.png': 'other' }));
  store.remove(`${PREFIX}b.tar`);
  await openAllTars(store);
  expect(await planRun({ run: PARTS }, services)).toMatchObject({ status: 'planned', objects: 1 });
  expect(await listed(store)).toEqual({
    'a.tar': 'was overwritten after the manifest was frozen; the next generation has it',
    'b.tar': 'was deleted after the manifest was frozen',
    'c.tar/x.png': inTar('x'),
  });
});

test('the list of its inputs is all that planning writes before it decides, and a refusal is all after it', async () => {
  const store = await frozenFiles({ 'a.tar': await packedTar({ 'x.png': 'x' }) }, { archive: null });
  const services = { store, clock, settings: SETTINGS };
  await planRun({ run: PARTS }, services);
  await openAllTars(store);
  store.requests.length = 0;
  await expect(planRun({ run: PARTS }, services)).rejects.toMatchObject({ name: 'PlanRefused' });
  const written = store.requests.filter(
    ({ operation, key }) => !['GET', 'HEAD', 'LIST'].includes(operation) && key.startsWith('runs/'),
  );
  expect(written.map(({ key }) => key)).toEqual([bucketLayout.inputs(PARTS), bucketLayout.problems(PARTS)]);
});

test('a connection that breaks is no defect of the tar: the step is repeated', async () => {
  const state = { isBroken: true };
  const store = await frozenFiles(
    { 'a.tar': await packedTar({ 'x.png': 'x', 'y.png': 'y' }) },
    {
      ...ONE_BY_ONE,
      store: {
        before: ({ operation, key }) => {
          if (state.isBroken && operation === 'PUT' && key.endsWith('y.png'))
            throw Object.assign(new Error('slow down'), { name: 'SlowDown' });
        },
      },
    },
  );
  const services = { store, clock, settings: SETTINGS };
  await planRun({ run: PARTS }, services);
  await expect(openAllTars(store)).rejects.toThrow('slow down');
  expect(await planRun({ run: PARTS }, services)).toEqual({ status: 'index', tars: 1 });
  state.isBroken = false;
  await openAllTars(store);
  expect(await planRun({ run: PARTS }, services)).toMatchObject({ status: 'planned', objects: 2 });
});

const MEMBER = (truth: object, more: object = {}): DropFixture => ({
  pipeline: {
    ...PIPELINE,
    labels: { ...PIPELINE.labels, numbers: 'index', truth: { from: 'member', ...truth } },
    ...more,
  },
});

test('labels lie beside members, as text or in JSON, and what is no label is told by name', async () => {
  const store = await frozenFiles(
    {
      'a.tar': await packedTar({
        '1.cls': '1\n',
        '1.png': 'one',
        '1.seg.png': 'mask',
        '2.png': 'two',
        '2.cls': 'circle',
        '3.cls': '0',
        '4.cls': ' ',
        '4.png': 'four',
        'sub/1.png': 'five',
      }),
    },
    MEMBER({}),
  );
  await planWithTars(store);
  expect(await listed(store)).toEqual({
    'a.tar/1.png': [...inTar('one'), '1'],
    'a.tar/1.seg.png': [...inTar('mask'), '1'],
    'a.tar/2.png': [...inTar('two'), 'circle'],
    'a.tar/3.cls': 'is the label of no member: pack it next to its input',
    'a.tar/4.cls': 'is an empty label',
    'a.tar/4.png': inTar('four'),
    'a.tar/sub/1.png': inTar('five'),
  });
  expect(planOf(store).labels.check).toMatchObject({ inputs: 5, labeled: 3 });

  const json = await frozenFiles(
    {
      'a.tar': await packedTar({
        '1.json': '{"label": {"id": 1}}',
        '1.png': 'one',
        '2.json': '{"label": null}',
        '2.png': 'two',
        '3.json': 'no JSON',
        '3.png': 'three',
      }),
    },
    MEMBER({ extension: 'json', path: '$.label.id' }),
  );
  await planWithTars(json);
  expect(await listed(json)).toEqual({
    'a.tar/1.png': [...inTar('one'), '1'],
    'a.tar/2.json': 'has no class name or index at $.label.id',
    'a.tar/2.png': inTar('two'),
    'a.tar/3.json': 'has no class name or index at $.label.id',
    'a.tar/3.png': inTar('three'),
  });
});

test('other settings of the labels open the tars again', async () => {
  const tar = await packedTar({ '1.cls': '0', '1.txt': '1', '1.png': 'one' });
  const store = await frozenFiles({ 'a.tar': tar }, MEMBER({}));
  await planWithTars(store);
  expect(await listed(store)).toEqual({ 'a.tar/1.png': [...inTar('one'), '0'] });
  const { pipeline } = MEMBER({ extension: 'txt' });
  store.put(bucketLayout.pipelineConfig('shapes'), JSON.stringify(pipeline));
  expect(await planWithTars(store)).toMatchObject({ status: 'planned', objects: 1 });
  expect(await listed(store)).toEqual({ 'a.tar/1.png': [...inTar('one'), '1'] });
});

test('files beside an image of their name are its companions, where the model takes images alone', async () => {
  const files = { 'a.tar': await packedTar({ '1.png': 'one', '1.json': '{}', '2.json': '{}' }) };
  const store = await frozenFiles(files);
  await planWithTars(store);
  expect(Object.keys(await listed(store))).toEqual(['a.tar/1.png', 'a.tar/2.json']);
  expect(planOf(store).notes.join('\n')).toContain('not inputs: 1 member of tars');
  const transform = { contentType: 'application/json' };
  const json = await frozenFiles(files, { pipeline: { ...PIPELINE, transform } });
  await planWithTars(json);
  expect(Object.keys(await listed(json))).toEqual(['a.tar/1.json', 'a.tar/1.png', 'a.tar/2.json']);
});

test('a sample by class is drawn from members by the labels beside them', async () => {
  const members = Array.from({ length: 40 }, (_, at) => [
    [`${at}.png`, `image ${at}`] as const,
    [`${at}.cls`, at < 10 ? 'circle' : 'square'] as const,
  ]).flat();
  const sample = { inputs: 20, by: 'class' };
  const store = await frozenFiles({ 'a.tar': await packedTar(members) }, MEMBER({}, { sample }));
  await planWithTars(store);
  expect(planOf(store).sample).toMatchObject({
    inputs: 20,
    of: 40,
    classes: [
      { label: 'circle', inputs: 5, of: 10 },
      { label: 'square', inputs: 15, of: 30 },
    ],
  });
});

/** A run with tars, driven to its report; the jobs leave no answer for `poison`. */
async function reported(
  files: Readonly<Record<string, string | Uint8Array>>,
  poison: readonly string[] = [],
) {
  const store = await frozenFiles(files, FOLDERS);
  await planWithTars(store);
  const { jobs } = await drive({ store, sagemaker: memorySageMaker({ clock }), clock }, (names) => ({
    write: names.filter((name) => !poison.includes(name)),
    status: poison.length > 0 ? 'Failed' : 'Completed',
    body: CIRCLE,
  }));
  const said = (name: string) => `x:[sagemaker logs]: bucket/${UNPACKED}${name}: ClientError: 418`;
  const { jobName } = record(store, 1);
  const shards = JSON.parse(store.text(bucketLayout.shards(PARTS))!) as { shard: number }[];
  for (const shard of shards)
    await foldPredictions({ ...shard, run: PARTS } as never, { store, imageFacts, clock: () => new Date(0) });
  await writeReport(
    { run: PARTS, startedAt: NOW.toISOString() },
    {
      store,
      clock,
      logs: memoryEngineLogs({ [jobName]: { 'i/data-log': poison.map(said) } }),
      thumbnail,
    },
  );
  const report = Report.parse(JSON.parse(store.text(bucketLayout.reportJson(PARTS))!));
  return { store, jobs, report, page: store.text(bucketLayout.reportHtml(PARTS))! };
}

test('members are judged, healed and shown by their names; a folder within a tar, or the tar, is the label', async () => {
  const { store, jobs, report, page } = await reported(
    {
      'circle.tar.gz': gzipSync(await packedTar({ '1.gif': 'GIF89a one', '2.gif': 'GIF89a two' })),
      'x.tar': await packedTar({
        'square/1.gif': 'GIF89a x',
        'square/2.gif': 'GIF89a y',
        l: { type: 'symlink', linkname: 'x' },
      }),
    },
    ['x.tar/square/2.gif'],
  );
  expect(jobs.map(({ inputs }) => inputs)).toEqual([
    ['circle.tar.gz/1.gif', 'circle.tar.gz/2.gif', 'x.tar/square/1.gif', 'x.tar/square/2.gif'],
    ['x.tar/square/2.gif'],
  ]);
  expect(report).toMatchObject({
    total: 5,
    records: 3,
    correct: 2,
    errorsByReason: { 'model-error': 1, unreadable: 1 },
  });
  expect(report.mistakes.map(({ key }) => key)).toEqual([`${PREFIX}x.tar/square/1.gif`]);
  expect(page).toContain(`data:image/gif;base64,${Buffer.from('GIF89a x').toString('base64')}"`);
  const errors = store.text(bucketLayout.errors(PARTS))!;
  expect(errors).toContain(`${PREFIX}x.tar/l,,,,unreadable,is a symbolic link`);
  // SageMaker's log names the object that it was sent.
  expect(errors).toContain(`${PREFIX}x.tar/square/2.gif,,,,model-error,"the container answered 418 (`);
});

test('an endpoint is tested with the bytes of members, while their tar is as it was', async () => {
  const { store } = await reported({
    'circle.tgz': gzipSync(await packedTar({ '1.gif': 'GIF89a one' })),
    'square.tar': await packedTar({ '1.gif': 'GIF89a x' }),
  });
  const sent: string[] = [];
  const services = {
    store,
    pause: () => Promise.resolve(),
    runtime: {
      invoke: (_name: string, { body }: { readonly body: Uint8Array }) => {
        sent.push(Buffer.from(body).toString());
        return Promise.resolve({ body: Buffer.from(CIRCLE), contentType: 'application/json', variant: 'v' });
      },
    },
  };
  const asked = { run: PARTS, endpointName: 'e', proof: 'given' } as const;
  expect(await testEndpoint(asked, services)).toMatchObject({ status: 'agrees', tested: 2 });
  expect(sent.sort()).toEqual(['GIF89a one', 'GIF89a x']);
  // Weeks later the copy of a compressed member is gone, and its tar is not.
  expire(store);
  expect(await testEndpoint(asked, services)).toMatchObject({ status: 'agrees', tested: 2 });
  expect(sent.slice(2).sort()).toEqual(['GIF89a one', 'GIF89a x']);
  store.put(`${PREFIX}circle.tgz`, 'other');
  expect(await testEndpoint(asked, services)).toMatchObject({ status: 'agrees', tested: 1 });
});

/** A run that repeats the planned one, planned as the state machine does. */
function repeated(store: MemoryObjectStore, generation: string, origin: object) {
  const run = { ...PARTS, generation };
  const frozen = JSON.parse(store.text(bucketLayout.frozen(PARTS))!) as object;
  store.put(bucketLayout.frozen(run), JSON.stringify({ ...frozen, origin: { ...origin, of: RUN } }));
  store.put(bucketLayout.manifest(run), store.text(bucketLayout.manifest(PARTS))!);
  return planWithTars(store, run);
}

/** Removes what S3 does below `staged/` some days after the run. */
const expire = (store: MemoryObjectStore) => {
  for (const key of store.keys('staged/')) store.remove(key);
};

test('a replay has the copies written again that its jobs are sent, since those of the first run expire', async () => {
  const store = await frozenFiles({
    'a.tar': await packedTar({ 'x.png': 'one', 'y.png': 'two' }),
    'b.tgz': gzipSync(await packedTar({ 'x.png': 'gz' })),
    'c.png': 'beside',
    'd.tar': await packedTar({ 'x.png': 'later' }),
  });
  await planWithTars(store);
  const copies = store.keys(UNPACKED);
  expect(copies).toHaveLength(5);
  const [list, sent] = [store.text(bucketLayout.inputs(PARTS)), sentIn(store)];
  expire(store);
  // What is another by now leaves no copy, and costs no other input its own.
  store.put(`${PREFIX}d.tar`, await packedTar({ 'x.png': 'other' }));
  expect(await repeated(store, '000001p1', { mode: 'replay' })).toMatchObject({ status: 'planned' });
  expect(store.keys(UNPACKED)).toEqual(copies.slice(0, -1));
  const run = { ...PARTS, generation: '000001p1' };
  expect(store.text(bucketLayout.inputs(run))).toBe(list);
  expect(JSON.parse(store.text(bucketLayout.partInput(run, 1))!)).toEqual(sent);
});

test('a rescore has members of compressed tars unpacked again where a copy is gone, and shows them', async () => {
  const { store } = await reported({
    'circle.tgz': gzipSync(await packedTar({ '1.gif': 'GIF89a one' })),
    'circle2.tgz': gzipSync(await packedTar({ '1.gif': 'GIF89a two', '2.gif': 'GIF89a three' })),
    'square.tar': await packedTar({ '1.gif': 'GIF89a x' }),
  });
  store.put(bucketLayout.ended(PARTS), '{}');
  await repeated(store, '000001s1', { mode: 'rescore', judgedBy: '' });
  expect(store.text(bucketLayout.tars({ ...PARTS, generation: '000001s1' }))).toBeUndefined();
  const [entry] = await Array.fromAsync(readReconciled(store, PARTS));
  expire(store);
  expect(await readPicture(store, entry!)).toEqual({
    missing: expect.stringContaining('a rescore of its run'),
  });
  await repeated(store, '000001s2', { mode: 'rescore', judgedBy: '' });
  const copies = ['circle.tgz/1.gif', 'circle2.tgz/1.gif', 'circle2.tgz/2.gif'].map(
    (name) => UNPACKED + name,
  );
  expect(store.keys('staged/')).toEqual(copies);
  expect(await readPicture(store, entry!)).toMatchObject({ mediaType: 'image/gif' });
  // S3 has removed one of them, and will remove the others.
  store.remove(copies[2]!);
  await repeated(store, '000001s3', { mode: 'rescore', judgedBy: '' });
  expect(store.keys('staged/')).toEqual(copies);
  expect(JSON.parse(store.text(bucketLayout.tars({ ...PARTS, generation: '000001s3' }))!)).toMatchObject([
    { share: { object: { key: `${PREFIX}circle2.tgz` } } },
  ]);
});

test('an item that has the time of a Lambda behind it says how far it came', async () => {
  const store = await frozenFiles({ 'a.tar': await packedTar({ '1.png': 'x', '2.png': 'y' }) });
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  const [item] = JSON.parse(store.text(bucketLayout.tars(PARTS))!) as unknown[];
  let calls = 0;
  const leftMs = () => (calls++ < 1 ? 900_000 : 179_000);
  await indexTars(indexTars.input.parse(item), { store, leftMs });
  await planRun({ run: PARTS }, { store, clock, settings: SETTINGS });
  expect(await listed(store)).toEqual({
    'a.tar':
      'is read up to "2.png", as far as a function comes in its time: cut it into tars of some 10,000 files',
    'a.tar/1.png': inTar('x'),
  });
});
