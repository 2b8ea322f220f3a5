import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Application } from '../../../../src/cli/application.ts';
import { draftRoutes } from '../../../../src/cli/console/draft-routes.ts';
import { type Draft, type Drafts, drafts } from '../../../../src/cli/console/drafts.ts';
import { preprocessings } from '../../../../src/init/preprocessings.ts';
import { bucketLayout } from '../../../../src/run/bucket-layout.ts';
import { type ConsoleClient, consoleClient } from '../../../support/console-client.ts';
import { linearOnnx, SIDE, trained } from '../../../support/linear-network.ts';
import { memoryObjectStore } from '../../../support/memory-object-store.ts';

const ROOT = path.join(import.meta.dirname, '..', '..', '..', '..');
const MODEL = path.join(ROOT, 'packages', 'savedmodel', 'test', 'fixtures', 'partitioned');
const rows = Array.from({ length: 30 }, (_, at) => [1, 2, 3, 4, 5, 6 + at, at % 4].join(',')).join('\n');

const store = memoryObjectStore();
let made: Drafts;
let client: ConsoleClient;
const send: ConsoleClient['send'] = (...asked) => client.send(...asked);

beforeAll(async () => {
  made = drafts();
  client = await consoleClient(draftRoutes({ store } as unknown as Application, made, 'us-east-1'));
});
afterAll(async () => {
  await client.close();
  await made.close();
});

/** A draft with the SavedModel and rows whose last cell is a class. */
async function draftOfRows(): Promise<string> {
  const { draft } = (await send('POST', '/api/drafts')).body;
  const files = readdirSync(MODEL, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  for (const { parentPath, name } of files) {
    const file = path.join(parentPath, name);
    const relative = encodeURIComponent(path.relative(MODEL, file));
    await send('PUT', `/api/drafts/${draft}/model/${relative}`, readFileSync(file));
  }
  await send('PUT', `/api/drafts/${draft}/sample/one.csv`, rows);
  return `/api/drafts/${draft}`;
}

const propose = (draft: string, answers: object) =>
  send('POST', `${draft}/proposal`, JSON.stringify({ answers }));

test('what neither model nor files tell is asked, and an answer leads to a pipeline of the stack', async () => {
  const draft = await draftOfRows();
  const { body: asked } = await propose(draft, {});
  expect(asked.question).toMatchObject({
    option: '--classes NAMES|FILE',
    // Few answers are right with the best order.
    offered: null,
    problem: null,
  });
  expect(asked.question.notes.join()).toContain('0 0, 1 1, 2 2, 3 3');
  const { body: named } = await propose(draft, { '--classes NAMES|FILE': 'as shown' });
  expect(JSON.parse(named.text)).toMatchObject({ labels: { classes: ['0', '1', '2', '3'] } });
  const { body: found } = await propose(draft, { '--classes NAMES|FILE': 'a,b,c,d' });
  expect(found.problems).toEqual([]);
  expect(JSON.parse(found.text)).toMatchObject({
    labels: { classes: ['a', 'b', 'c', 'd'], truth: { from: 'column', column: 6 } },
    transform: { contentType: 'text/csv' },
  });
  expect(found.fields).toContainEqual({
    field: 'transform.contentType',
    value: '"text/csv"',
    reason: 'the signature takes rows of 6 numbers',
  });
  const wrong = found.text.replace(
    '"./pipeline.schema.json"',
    '"./pipeline.schema.json", "gate": {"minAccuracy": 90}',
  );
  expect((await send('POST', `${draft}/check`, wrong)).body.problems).toMatchObject([
    { file: 'pipeline.json', field: 'gate.minAccuracy', value: '90' },
  ]);
  expect((await send('POST', `${draft}/pipelines/rows`, wrong)).status).toBe(400);
  expect(store.keys('')).toEqual([]);
  expect(await send('POST', `${draft}/pipelines/rows`, found.text)).toEqual({
    status: 201,
    body: { pipeline: 'rows' },
  });
  expect(store.keys('').sort()).toEqual(
    [bucketLayout.pipelineModel('rows'), bucketLayout.pipelineConfig('rows')].sort(),
  );
  expect((await send('POST', `${draft}/pipelines/rows`, found.text)).body.problems).toMatchObject([
    { field: 'name', message: expect.stringContaining('is the name of a pipeline already') as string },
  ]);
  expect((await send('POST', `${draft}/pipelines/No%20name`, found.text)).status).toBe(400);
});

test('a model that is none is refused in the words of init, without the paths of this machine', async () => {
  const { draft } = (await send('POST', '/api/drafts')).body;
  await send('PUT', `/api/drafts/${draft}/model/notes.txt`, 'text');
  const { status, body } = await propose(`/api/drafts/${draft}`, {});
  expect(status).toBe(400);
  expect(body.detail).toMatch(/^notes\.txt is text, and no model: give the folder/);
});

test.each(['..%2Fout', '%2Fetc%2Fpasswd%00', 'a%2F..%2F..%2Fout', '%2E%2E%2Fsample%2Fx'])(
  'a file named %s leaves its folder in no way',
  async (name) => {
    const { draft } = (await send('POST', '/api/drafts')).body;
    const { status } = await send('PUT', `/api/drafts/${draft}/model/${name}`, 'x');
    expect(status).toBe(400);
  },
);

test('drafts are few, and nothing of them stays', async () => {
  const own = drafts();
  const all: Draft[] = [];
  for (let count = 0; count < 6; count += 1) all.push(await own.create());
  const folders = all.map((one) => path.dirname(one.model));
  expect(folders.map((folder) => existsSync(folder))).toEqual([false, false, true, true, true, true]);
  expect(folders.every((folder) => folder.startsWith(tmpdir()))).toBe(true);
  expect(() => own.find(all[0]!.id)).toThrow('choose the files again');
  await own.close();
  expect(folders.some((folder) => existsSync(folder))).toBe(false);
});

test.each(['', '{', '[]', '{}', '{"answers": {"a": 1}}', 'null'])(
  'the answers %j are refused as a bad request',
  async (body) => {
    const { draft } = (await send('POST', '/api/drafts')).body;
    expect(await send('POST', `/api/drafts/${draft}/proposal`, body)).toMatchObject({
      status: 400,
      body: { kind: 'invalid-request', detail: expect.stringContaining('the body') },
    });
  },
);

test('a body beyond its limit is refused with its size', async () => {
  const { draft } = (await send('POST', '/api/drafts')).body;
  expect(await send('POST', `/api/drafts/${draft}/proposal`, 'x'.repeat(2 ** 20 + 1))).toEqual({
    status: 413,
    body: { kind: 'body-too-large', detail: 'a text of at most 1048576 bytes is read, this has 1048577' },
  });
});

test('a file next to the model says how images are prepared, and nothing is proposed without labels', async () => {
  const { draft } = (await send('POST', '/api/drafts')).body;
  const images = preprocessings({ height: SIDE, width: SIDE, channels: 3 })[9]!.images;
  const model = `/api/drafts/${draft}/model`;
  await send('PUT', `${model}/net.onnx`, Buffer.from(linearOnnx(trained(images, 1))));
  const answers = { '--classes NAMES|FILE': 'brick,grass,sky,stone' };
  const { status, body } = await propose(`/api/drafts/${draft}`, answers);
  expect([status, JSON.stringify(body)]).toEqual([
    400,
    expect.stringContaining('nothing shows how net.onnx wants'),
  ]);
  await send('PUT', `${model}/images.json`, JSON.stringify(images));
  const { body: found } = await propose(`/api/drafts/${draft}`, answers);
  expect(JSON.parse(found.text)).toMatchObject({ model: { images } });
});
