import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dropRoutes } from '../../../../src/cli/console/drop-routes.ts';
import type { Route } from '../../../../src/cli/console/route.ts';
import { bucketLayout } from '../../../../src/run/bucket-layout.ts';
import { type ConsoleClient, consoleClient } from '../../../support/console-client.ts';
import { PIPELINE } from '../../../support/drop-fixture.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../../../support/memory-object-store.ts';

let store: MemoryObjectStore;
let client: ConsoleClient;
const send: ConsoleClient['send'] = (...asked) => client.send(...asked);

/** Routes over the store of the test that runs. */
const ROUTES: readonly Route[] = dropRoutes(memoryObjectStore()).map(({ method, pattern }) => ({
  method,
  pattern,
  answer: async (asked) => {
    const route = dropRoutes(store).find((one) => one.method === method && one.pattern === pattern);
    await route?.answer(asked);
  },
}));

beforeAll(async () => {
  client = await consoleClient(ROUTES);
});
afterAll(() => client.close());
beforeEach(() => {
  store = memoryObjectStore();
  store.put(bucketLayout.pipelineConfig('cats'), '{}');
});

const FOLDER = 'incoming/cats/monday/';

test('files are stored below the drop, and the mark of its end comes last', async () => {
  expect((await send('PUT', '/api/drops/cats/monday/a%2Fb%20%C3%A9.png', 'pixels')).status).toBe(201);
  expect(store.keys(FOLDER)).toEqual([`${FOLDER}a/b é.png`]);
  expect(store.text(`${FOLDER}a/b é.png`)).toBe('pixels');
  const job = JSON.stringify({ limits: { maxCostUsd: 5 } });
  expect(await send('POST', '/api/drops/cats/monday', job)).toEqual({
    status: 202,
    body: { run: 'cats/monday/000001' },
  });
  expect(store.text(`${FOLDER}job.json`)).toBe(job);
  expect(store.keys(FOLDER)).toContain(`${FOLDER}_READY`);
});

test('without a mark the run waits until no file arrives', async () => {
  await send('POST', '/api/drops/cats/monday?wait=1');
  expect(store.keys(FOLDER)).toEqual([]);
});

test('a look before the upload names the field of a mistake, and writes nothing', async () => {
  const { status, body } = await send(
    'POST',
    '/api/drops/cats/monday?check=1',
    JSON.stringify({ limits: { maxCostUsd: 'a lot' } }),
  );
  expect([status, body.problems[0]]).toEqual([
    400,
    expect.objectContaining({ file: 'job.json', field: 'limits.maxCostUsd' }),
  ]);
  expect((await send('POST', '/api/drops/cats/monday?check=1', '{}')).status).toBe(200);
  expect(store.keys('incoming/')).toEqual([]);
});

test.each([
  '/api/drops/cats/monday/..%2F..%2F..%2Fpipelines%2Fcats%2Fpipeline.json',
  '/api/drops/cats/monday/a%2F..%2Fb.png',
  '/api/drops/cats/monday/%2Fa.png',
  '/api/drops/cats/monday/_READY',
  '/api/drops/cats/monday/_UPLOADING',
  '/api/drops/cats/monday/.DS_Store',
  '/api/drops/cats/monday/a%2F.git%2Fconfig',
  '/api/drops/cats/%2E%2E/a.png',
  '/api/drops/cats/mon%2Fday/a.png',
  '/api/drops/cats/@held-out/a.png',
  '/api/drops/Cats/monday/a.png',
  '/api/drops/../monday/a.png',
])('%s is refused, and nothing is stored', async (path) => {
  const before = store.keys();
  const { status } = await send('PUT', path, 'x');
  expect([400, 404]).toContain(status);
  expect(store.keys()).toEqual(before);
});

test('a drop of a pipeline that does not exist is refused before its mark', async () => {
  const { status, body } = await send('POST', '/api/drops/dogs/monday');
  expect([status, body.detail]).toEqual([400, expect.stringContaining('pipeline dogs does not exist')]);
  expect(store.keys('incoming/')).toEqual([]);
});

test('what is there is told with its size and time, so that it is not sent again', async () => {
  await send('PUT', '/api/drops/cats/monday/a.png', 'pixels');
  const { body } = await send('GET', '/api/drops/cats/monday');
  expect(body.files).toEqual([
    { path: 'a.png', size: 6, at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
  ]);
  expect((await send('GET', '/api/drops/cats/other')).body.files).toEqual([]);
  expect((await send('GET', '/api/drops/cats/..%2Fdogs')).status).toBe(400);
});

test('a job.json beyond its limit is refused, not cut', async () => {
  const job = JSON.stringify({ limits: { maxCostUsd: 5 } }).padEnd(64 * 1024 + 1, ' ');
  expect((await send('POST', '/api/drops/cats/monday?check=1', job)).status).toBe(413);
  expect(store.keys(FOLDER)).toEqual([]);
});

/** How the page shows the labels of files before they are uploaded. */
async function preview(labels: object, names: readonly string[], file?: string | Uint8Array, size?: number) {
  store.put(
    bucketLayout.pipelineConfig('cats'),
    JSON.stringify({ ...PIPELINE, labels: { classes: ['cat', 'dog', 'bird'], ...labels } }),
  );
  const head = Buffer.from(file ?? '');
  const labelFiles =
    file === undefined
      ? []
      : [{ name: 'labels.csv', head: head.toString('base64'), size: size ?? head.length }];
  const question = {
    names: [...names, ...labelFiles.map(({ name }) => name)],
    of: names.length + labelFiles.length,
    labelFiles,
    tables: [],
    job: '',
  };
  const { status, body } = await send('POST', '/api/drops/cats/monday/labels', JSON.stringify(question));
  expect(status).toBe(200);
  return {
    ...body,
    lines: body.lines?.map((line: { label: string; text: string }) => `${line.label}: ${line.text}`),
  };
}

const IN_FILE = { truth: { from: 'file' } };
const PETS = ['1.png', '2.png', 'é.png'];

test('labels in folders are read before the upload as by the plan', async () => {
  expect(await preview({ truth: { from: 'folder' } }, ['cat/1.png', 'Dog/2.png', 'dog/3.png'])).toEqual({
    title: 'How the labels are read',
    lines: [
      'from: the folders of the inputs',
      'examples: cat/1.png "cat" → cat; dog/3.png "dog" → dog',
      'classes: cat 1 · dog 1 · bird 0',
      'no class: 1: "Dog" of incoming/cats/monday/Dog/2.png (did you mean "dog"?)',
    ],
    notes: [expect.stringMatching(/^1 of the labels that labels\.truth gives is not in labels\.classes/)],
    problems: [],
  });
});

test('labels in a file are read before the upload: UTF-16, semicolons, floats, decomposed names, a row of no file', async () => {
  const text = '\ufefffile;species\r\n1.png;0\r\n2.png;2.0\r\n"e\u0301.png";1\r\nx.png;1\r\n';
  for (const file of [text, Buffer.from(text, 'utf16le')])
    expect(await preview(IN_FILE, PETS, file)).toMatchObject({
      lines: [
        'from: labels.csv, columns "file" and "species", 4 rows',
        'numbers: places in labels.classes from 0 on: 0 → cat, 1 → dog, 2 → bird',
        expect.stringContaining('monday/é.png "1" → dog'),
        'classes: cat 1 · dog 1 · bird 1',
      ],
      notes: [expect.stringContaining('1 row of labels.csv names no file')],
      problems: [],
    });
});

test.each([
  [
    'two readings',
    'file,label\n1.png,1\n2.png,2\n',
    /labels\.numbers must be "index" \(1 is "dog", 2 is "bird"\) or "index-from-1"/,
  ],
  ['two label columns', 'file,label,class\n1.png,cat,dog\n', /^labels\.csv: has 2 columns of labels/],
  ['an open quote', 'file,label\n"1.png,cat\n', /^labels\.csv: line 2 must be a row with closed quotes/],
])('what would refuse the run is said before the upload: %s', async (_case, text, message) => {
  expect(await preview(IN_FILE, PETS, text)).toMatchObject({
    lines: [],
    problems: [expect.stringMatching(message)],
  });
});

test('of a large label file the page says how much was looked at, and counts no input as unlabeled', async () => {
  const found = await preview(IN_FILE, PETS, 'file,label\n1.png,cat\n2.png,do', 5_000_000);
  expect(found.lines[0]).toBe('from: labels.csv, columns "file" and "label", 1 row');
  expect(found.notes).toEqual([
    'Looked at: the first 29 B of 5.0 MB of labels.csv. The run reads all of it before its first job.',
  ]);
});

test.each([
  ['a pipeline without labels', { truth: null }, {}],
  [
    'no label file',
    IN_FILE,
    { lines: [], notes: [expect.stringContaining('labels.csv is not among the files')] },
  ],
  [
    'a pattern that is none',
    { truth: { from: 'key', pattern: '(' } },
    { problems: [expect.stringContaining('labels.truth.pattern')] },
  ],
])('%s is told, or shows nothing', async (_case, labels, expected) => {
  const found = await preview(labels, PETS);
  if ('truth' in labels && labels.truth === null) expect(found.title).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test('a label file that is chosen for the drop takes the place of what pipeline.json says', async () => {
  await preview({ truth: { from: 'folder' } }, PETS);
  const job = JSON.stringify({ labels: { truth: { from: 'file', path: 'labels.csv' } } });
  const labelFiles = [
    { name: 'labels.csv', head: Buffer.from('1.png,cat\n2.png,dog\n').toString('base64'), size: 20 },
  ];
  const { body } = await send(
    'POST',
    '/api/drops/cats/monday/labels',
    JSON.stringify({ names: PETS, of: 3, labelFiles, tables: [], job }),
  );
  expect(body.lines[0].text).toBe('labels.csv, columns 1 and 2, 2 rows');
  expect((await send('POST', '/api/drops/cats/monday/labels', '{"names": 1}')).status).toBe(400);
});

test('tables that the run would refuse are told before the upload, and why', async () => {
  await preview({ truth: null }, PETS);
  const columns = { features: ['x', 'y'] };
  const pipeline = { ...PIPELINE, columns, transform: { contentType: 'text/csv' } };
  store.put('pipelines/cats/pipeline.json', JSON.stringify(pipeline));
  const table = (name: string, text: string) => ({
    name,
    head: Buffer.from(text).toString('base64'),
    size: text.length,
  });
  const ask = async (...tables: object[]) =>
    (
      await send(
        'POST',
        '/api/drops/cats/monday/labels',
        JSON.stringify({ names: ['a.csv', 'b.csv'], of: 2, labelFiles: [], tables, job: '' }),
      )
    ).body;
  expect(await ask(table('a.csv', 'y,ward,x\n1,2,3\n4\n'))).toMatchObject({
    notes: [
      `a.csv has columns that pipeline.json doesn't name, and they are not sent: "ward"`,
      'a.csv, record 1 (line 3) has 1 cells, and the first row has 3. It counts as an error',
    ],
    problems: [],
  });
  const why = 'b.csv must have the column "y" of columns.features, has "x", "Y": did you mean "Y"?';
  expect(await ask(table('b.csv', 'x,Y\n1,2\n'))).toMatchObject({ problems: [why], refusal: why });
});
