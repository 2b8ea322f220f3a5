import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { modelArchive } from '../../../packages/model-container/test/support/model-archive.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { judgeInBucket } from '../../../src/cli/judge-in-bucket.ts';
import { putPipeline, readPipelineFolder } from '../../../src/cli/put-pipeline.ts';
import { problemLine } from '../../../src/problem/problem.ts';
import { memoryObjectStore } from '../../support/memory-object-store.ts';
import { silentTerminal } from '../../support/silent-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', '..', 'examples', 'fashion-mnist');
const CONFIG = {
  transform: { contentType: 'application/json' },
  model: { framework: 'tensorflow', frameworkVersion: '2.19.0' },
  labels: { classes: ['a', 'b'] },
};
const TRAINED = {
  ...CONFIG,
  training: { framework: 'pytorch', version: '2.6.0', entryPoint: 'train.py' },
};

let folder: string;
beforeEach(async () => {
  folder = path.join(temporaryFolder('put-'), 'Shapes');
  await mkdir(path.join(folder, 'code', '__pycache__'), { recursive: true });
  await give('code/__pycache__/train.pyc', '');
  return () => rm(path.dirname(folder), { recursive: true });
});

const give = (name: string, body: Uint8Array | string | object) =>
  writeFile(
    path.join(folder, name),
    typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  );
const problems = async () => (await readPipelineFolder(folder)).problems.map(problemLine);

test('the example is a pipeline, and pipeline.json is written last', async () => {
  await cp(path.join(EXAMPLE, 'pipeline.json'), path.join(folder, 'pipeline.json'));
  await cp(path.join(EXAMPLE, 'model.tar.gz'), path.join(folder, 'model.tar.gz'));
  await give('notes.txt', 'not part of a pipeline');
  const found = await readPipelineFolder(folder);
  expect(found.problems).toEqual([]);
  const store = memoryObjectStore();
  const written: string[] = [];
  const { write } = store;
  store.write = (...given) => (written.push(given[0]), write(...given));
  await putPipeline({ store }, 'shapes', found);
  expect(written).toEqual(['pipelines/shapes/model.tar.gz', 'pipelines/shapes/pipeline.json']);
});

test('of a training the source goes along, without what Python has compiled', async () => {
  await give('pipeline.json', TRAINED);
  for (const name of ['train.py', 'requirements.txt', '.hidden']) await give(`code/${name}`, '');
  const { files, problems: none } = await readPipelineFolder(folder);
  expect(none).toEqual([]);
  expect(files.map(({ relative }) => relative)).toEqual([
    'code/requirements.txt',
    'code/train.py',
    'pipeline.json',
  ]);
});

test.each<[string, object, Readonly<Record<string, string>>, readonly RegExp[]]>([
  ['no model', CONFIG, {}, [/^model\.tar\.gz is not in .*Shapes.*inferdrop model pack/]],
  [
    'a model that is no archive',
    CONFIG,
    { 'model.tar.gz': 'PK\u0003\u0004' },
    [/^model\.tar\.gz is a ZIP archive/],
  ],
  [
    'mistakes of both files',
    { ...CONFIG, gate: { minAccuracy: 2 } },
    { 'model.tar.gz': '' },
    [/^pipeline\.json: gate\.minAccuracy must/, /^model\.tar\.gz is an empty object/],
  ],
  [
    'no script',
    TRAINED,
    {},
    [/^pipeline\.json: training\.sourceDir has no files: put the source into .*code/],
  ],
  [
    'another script',
    TRAINED,
    { 'code/trian.py': '' },
    [/^pipeline\.json: training\.entryPoint is not in .*code.*: did you mean trian\.py\?/],
  ],
  [
    'a source outside of the folder',
    { ...TRAINED, training: { ...TRAINED.training, sourceDir: '..' } },
    {},
    [/^pipeline\.json: training\.sourceDir must be the name of a folder next to pipeline\.json/],
  ],
])('%s is refused with what to do', async (_, config, files, expected) => {
  await give('pipeline.json', config);
  for (const [name, text] of Object.entries(files)) await give(name, text);
  const found = await problems();
  expect(found).toHaveLength(expected.length);
  expected.forEach((pattern, index) => expect(found[index]).toMatch(pattern));
});

test('a model that the pipeline’s container would not serve is refused', async () => {
  await give('pipeline.json', CONFIG);
  await give('model.tar.gz', await modelArchive({ 'model.pth': 'weights' }));
  expect(await problems()).toEqual([expect.stringMatching(/^model\.tar\.gz .*saved_model\.pb/)]);
});

test('packages that the engine’s functions do not have are refused before anything is uploaded', async () => {
  const config = { ...CONFIG, model: { ...CONFIG.model, networkIsolation: false } };
  const files = { '1/saved_model.pb': 'graph', 'code/requirements.txt': 'pillow\n' };
  await give('model.tar.gz', await modelArchive(files));
  await give('pipeline.json', config);
  expect(await problems()).toEqual([]);
  await give('pipeline.json', { ...config, transform: { ...CONFIG.transform, engine: 'lambda' } });
  expect(await problems()).toEqual([
    expect.stringMatching(
      /^model\.tar\.gz has a script that needs pillow,.* transform\.engine to "sagemaker"/,
    ),
  ]);
});

test('an archive of another place stands in for the one in the folder', async () => {
  await give('pipeline.json', { ...CONFIG, model: { ...CONFIG.model, artifact: 's3://b/shared/m.tar.gz' } });
  await give('model.tar.gz', 'older');
  const { files, problems: none } = await readPipelineFolder(folder);
  expect([files.map(({ relative }) => relative), none]).toEqual([['pipeline.json'], []]);
});

test('the command says every mistake before it looks for a stack, and asks for a name that a pipeline can have', async () => {
  await give('pipeline.json', { ...CONFIG, gate: 7 });
  const terminal = silentTerminal();
  expect(await runCommandLine(['pipeline', 'put', folder, '--name', 'shapes'], terminal)).toBe(1);
  expect(terminal.lines).toEqual([
    expect.stringMatching(/^pipeline\.json: gate must/),
    expect.stringMatching(/^model\.tar\.gz is not in/),
  ]);
  await expect(runCommandLine(['pipeline', 'put', folder], terminal)).rejects.toThrow(
    /the folder's name must be .* is "Shapes": give --name/,
  );
  await expect(
    runCommandLine(['pipeline', 'put', path.dirname(folder), '--name', 'a'], terminal),
  ).rejects.toThrow(/has no pipeline\.json: give the folder that holds it/);
  await expect(
    runCommandLine(['pipeline', 'put', path.join(folder, 'pipeline.json'), '--name', 'a'], terminal),
  ).rejects.toThrow(/is a file: give the folder that holds pipeline\.json and model\.tar\.gz/);
});

const REGION = 'eu-west-1';

/** What the stack would refuse of the folder, and its notes. */
async function judged(store = memoryObjectStore()) {
  const found = await readPipelineFolder(folder);
  const { config } = found;
  if (config === undefined) throw new Error('pipeline.json must be readable');
  const { problems: refused, ...rest } = await judgeInBucket(store, 'shapes', { ...found, config }, REGION);
  return { refused: refused.map(problemLine), ...rest };
}

const EVALUATION = 'pipelines/shapes/evaluation/';
const FILE = { from: 'file', path: 'labels.csv' };
const FOLDER = { from: 'folder' };
const KEYED = {
  [`${EVALUATION}held-out/labels.csv`]: 'photo,species\na.png,0\nb.png,1.0\n',
  [`${EVALUATION}held-out/a.png`]: '',
  [`${EVALUATION}held-out/b.png`]: '',
};
const OPEN = /^labels\.numbers is not set: should labels be numbers that could mean two classes/;

test.each<[string, object, Readonly<Record<string, string>>, string | undefined, readonly RegExp[]]>([
  ['there is no evaluation set', { truth: FOLDER }, {}, undefined, [OPEN]],
  ['there are no labels', { truth: null }, {}, undefined, []],
  ['it is set', { truth: FOLDER, numbers: 'index' }, KEYED, undefined, []],
  ['each class is named by its place', { truth: FOLDER, classes: ['0', '1'] }, {}, undefined, []],
  [
    'the labels of the set are places',
    { truth: FILE },
    KEYED,
    'index',
    [
      /^labels\.numbers is "index" in the bucket's pipeline\.json: as the labels tell \(evaluation set held-out\)/,
    ],
  ],
  [
    'no label of the set is a number',
    { truth: FOLDER },
    { [`${EVALUATION}t/a/1.png`]: '' },
    'names',
    [/no label is a number \(evaluation set t\)/],
  ],
  [
    'the set leaves it open',
    { truth: FOLDER },
    { [`${EVALUATION}t/1/1.png`]: '' },
    undefined,
    [
      /evaluation set t leaves it open: labels are numbers without 0 \("1"\).*"index" \(1 is "b"\) or "index-from-1" \(1 is "a"\)/,
    ],
  ],
  [
    'there are two sets',
    { truth: FOLDER },
    { [`${EVALUATION}t/a/1.png`]: '', [`${EVALUATION}t0/0/1.png`]: '' },
    undefined,
    [OPEN],
  ],
  [
    'the set has no such labels',
    { truth: { from: 'key', pattern: '(?i)/([a-z]+)/' } },
    KEYED,
    undefined,
    [OPEN],
  ],
  [
    'its label file cannot be read',
    { truth: FILE },
    { [`${EVALUATION}t/labels.csv`]: 'a\n' },
    undefined,
    [OPEN],
  ],
])('labels.numbers where %s', async (_case, labels, files, numbers, notes) => {
  await give('pipeline.json', {
    ...CONFIG,
    transform: { contentType: 'application/jsonlines', splitType: 'Line' },
    labels: { ...CONFIG.labels, ...labels },
  });
  await give('model.tar.gz', await modelArchive({ 'm/1/saved_model.pb': '' }));
  const store = memoryObjectStore();
  for (const [key, text] of Object.entries(files)) await store.write(key, text);
  const found = await judged(store);
  expect(found).toMatchObject({ refused: [], notes: notes.map((note) => expect.stringMatching(note)) });
  expect(found.numbers).toBe(numbers);
  const read = await readPipelineFolder(folder);
  await putPipeline({ store }, 'shapes', read, found.numbers);
  expect(JSON.parse(store.text('pipelines/shapes/pipeline.json')!)).toMatchObject({
    labels: { ...CONFIG.labels, ...labels, ...(numbers !== undefined && { numbers }) },
  });
});

test('of several evaluation sets the one that judges trainings settles labels.numbers', async () => {
  const training = { ...TRAINED.training, after: { evaluate: 't' } };
  await give('code/train.py', '');
  await give('pipeline.json', {
    ...CONFIG,
    training,
    labels: { ...CONFIG.labels, truth: FOLDER },
    gate: { minAccuracy: 0.5 },
  });
  const store = memoryObjectStore();
  for (const key of ['s/1/1.png', 't/0/1.png']) await store.write(`${EVALUATION}${key}`, '');
  expect((await judged(store)).numbers).toBe('index');
});

test.each<[string, object, RegExp]>([
  [
    'an instance type that AWS does not have',
    { transform: { ...CONFIG.transform, instanceTypes: ['ml.g4dn.large'] } },
    /transform\.instanceTypes\.0 is not a known instance type; did you mean ml\.g4dn\.xlarge\? Correct it/,
  ],
  [
    'a file of classes that is not there',
    { labels: { classes: { file: 'classes.txt' } } },
    /labels\.classes\.file names a file that isn't there: put classes\.txt next to pipeline\.json/,
  ],
  [
    'a class twice',
    { labels: { classes: ['a', 'b', 'a'] } },
    /labels\.classes must name each class once, "a" stands there twice/,
  ],
  [
    'a pattern without a group',
    { labels: { ...CONFIG.labels, truth: { from: 'key', pattern: 'a|b' } } },
    /labels\.truth\.pattern must have a group/,
  ],
  [
    'a deployment without a gate',
    { endpoint: { deploy: 'when-gate-passes' } },
    /endpoint\.deploy needs a gate to pass/,
  ],
  [
    'a gate without its baseline',
    { gate: { maxAccuracyDrop: 0.1 } },
    /gate\.maxAccuracyDrop compares with report\.baseline, which is not set/,
  ],
  [
    'a baseline that does not exist',
    { report: { baseline: 'shapes/a/000001' } },
    /report\.baseline names a run that left no predictions/,
  ],
  [
    'a model that does not exist',
    { model: { ...CONFIG.model, artifact: 's3://bucket/models/a.tar.gz' } },
    /model\.artifact points to s3:.*, which does not exist/,
  ],
  [
    'a threshold for three classes',
    { labels: { classes: ['a', 'b', 'c'], threshold: 0.5 } },
    /labels\.threshold is for two classes/,
  ],
])('%s is named before anything is uploaded, as the plan of a run would', async (_what, change, expected) => {
  await give('pipeline.json', { ...CONFIG, ...change });
  await give('model.tar.gz', await modelArchive({ 'm/1/saved_model.pb': '' }));
  expect((await readPipelineFolder(folder)).problems).toEqual([]);
  expect((await judged()).refused).toEqual([expect.stringMatching(expected)]);
  await give('pipeline.json', CONFIG);
  expect(await judged()).toEqual({ refused: [], notes: [] });
});

test.each([true, false])(
  'scripts of trainings reach networks and data of others, unless isolated: %s',
  async (networkIsolation) => {
    await give('pipeline.json', { ...TRAINED, training: { ...TRAINED.training, networkIsolation } });
    const { refused, notes } = await judged();
    expect(refused).toEqual([]);
    expect(notes).toEqual(
      networkIsolation
        ? []
        : [expect.stringMatching(/^training scripts and their packages reach the network/)],
    );
  },
);

test('the file of the classes goes along, or is the one in the bucket', async () => {
  await give('pipeline.json', { ...CONFIG, labels: { classes: { file: 'classes.txt' } } });
  await give('model.tar.gz', await modelArchive({ 'm/1/saved_model.pb': '' }));
  const store = memoryObjectStore();
  await store.write('pipelines/shapes/classes.txt', 'cat\ndog\n');
  expect((await judged(store)).refused).toEqual([]);
  await give('classes.txt', 'cat\n');
  expect((await judged(store)).refused).toEqual([
    expect.stringMatching(/^classes\.txt must list at least 2 classes/),
  ]);
  await give('classes.txt', 'cat\nhen\n');
  expect((await readPipelineFolder(folder)).files.map(({ relative }) => relative)).toEqual([
    'model.tar.gz',
    'classes.txt',
    'pipeline.json',
  ]);
});

test("a script is judged by the image's Python, and for functions by what Pyodide has", async () => {
  const script = 'def handler(data, context):\n    import numpy\ntype Rows = list\n';
  await give('model.tar.gz', await modelArchive({ '1/saved_model.pb': '', 'code/inference.py': script }));
  const found = async (model: object, transform: object = {}) => {
    await give('pipeline.json', {
      ...CONFIG,
      model: { framework: 'tensorflow', ...model },
      transform: { ...CONFIG.transform, ...transform },
    });
    return (await problems()).filter((one) => one.includes('script'));
  };
  const graviton = { instanceTypes: ['ml.m6g.xlarge'] };
  expect(await found({ frameworkVersion: '2.16.1' }, graviton)).toEqual([
    expect.stringContaining(
      'code/inference.py, line 3: Python 3.10 of the image does not know "type Rows = list" (since 3.12), so that AWS fails on it',
    ),
  ]);
  expect(await found({ frameworkVersion: '2.20' })).toEqual([]);
  expect(await found({ frameworkVersion: '2.20' }, { engine: 'lambda' })).toEqual([
    expect.stringMatching(
      /has a script that functions cannot run: code\/inference\.py, line 2, imports numpy, .*code\/lib.*, or set transform\.engine to "sagemaker" in pipeline\.json/,
    ),
  ]);
});
