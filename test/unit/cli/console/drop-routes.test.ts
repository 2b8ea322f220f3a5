import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dropRoutes } from '../../../../src/cli/console/drop-routes.ts';
import type { Route } from '../../../../src/cli/console/route.ts';
import { bucketLayout } from '../../../../src/run/bucket-layout.ts';
import { type ConsoleClient, consoleClient } from '../../../support/console-client.ts';
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
