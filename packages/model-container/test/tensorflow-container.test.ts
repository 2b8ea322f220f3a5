import { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import type { Container } from '../container.ts';
import { createContainerHost } from '../container-host.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { handlerOf } from './support/handlers-page.ts';
import { modelArchive } from './support/model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const engineModule = new URL('./support/fake-engine.ts', import.meta.url).href;
const CLASSIC = 'r/tensorflow-inference:2.19.0-cpu';
const CURRENT = 'r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1';

let container: Container | undefined;
const logLines: string[] = [];
afterEach(() => container?.stop());

/** A container of the archive's files, and how to ask it. */
async function start(
  image: string,
  files: Record<string, string>,
  environment: Record<string, string> = {},
  networkIsolation = false,
) {
  const modelDir = temporaryFolder('container-');
  await unpackModelArchive(Readable.from([await modelArchive(files)]), modelDir);
  container = createContainerHost({ engineModule })({
    image,
    modelDir,
    environment,
    networkIsolation,
    log: (line) => void logLines.push(line),
  });
  const url = await container.listening;
  return async (path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(
      `${url.href}${path}`,
      body === undefined ? {} : { method: 'POST', body, headers },
    );
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };
}
const DOUBLE = { '1/saved_model.pb': 'double' };
const JSON_TYPE = { 'content-type': 'application/json' };

test('without a script: ping, not found, requests, models by name and version', async () => {
  const ask = await start(CLASSIC, { 'a/1/saved_model.pb': 'double', 'b/3/saved_model.pb': 'double' });
  expect(await ask('/ping')).toMatchObject({ status: 200, text: '' });
  expect(await ask('/execution-parameters')).toMatchObject({ status: 404, text: '{"error": "Not Found"}' });
  expect(await ask('/invocations', '[1, 2]', JSON_TYPE)).toMatchObject({
    status: 200,
    type: 'application/json',
    text: '{\n    "predictions": [[2.0, 4.0]\n    ]\n}',
  });
  const named = {
    ...JSON_TYPE,
    'x-amzn-sagemaker-custom-attributes': 'tfs-model-name=b,tfs-model-version=3',
  };
  expect(await ask('/invocations', '{"inputs": 3}', named)).toMatchObject({
    status: 200,
    text: '{\n    "outputs": 6.0\n}',
  });
  const unknown = { ...JSON_TYPE, 'x-amzn-sagemaker-custom-attributes': 'tfs-model-name=c' };
  expect(await ask('/invocations', '[1]', unknown)).toMatchObject({
    status: 404,
    text: '{ "error": "Servable not found for request: Latest(c)" }',
  });
});

test('a program that knows only the port of a container is not answered, nor is a page', async () => {
  await start(CLASSIC, DOUBLE);
  const { origin } = await container!.listening;
  for (const path of ['/ping', '/invocations', '//invocations', '/x/invocations']) {
    const asked = await fetch(`${origin}${path}`, { method: 'POST', body: '[1]', headers: JSON_TYPE });
    expect([asked.status, await asked.text()]).toEqual([404, '']);
  }
});

test('an accepted JSON type takes the newlines out of the answer', async () => {
  const ask = await start(CLASSIC, DOUBLE);
  const accept = (types: string) => ask('/invocations', '[1]', { ...JSON_TYPE, accept: types });
  expect(await accept('application/jsonlines')).toMatchObject({
    type: 'application/jsonlines',
    text: '{    "predictions": [[2.0]    ]}',
  });
  expect((await accept('text/csv')).text).toContain('\n');
});

test("the model server's apostrophes around 'instances' are put right", async () => {
  const ask = await start(CLASSIC, DOUBLE);
  const { status, text } = await ask('/invocations', '{"instances": ["x"]}', JSON_TYPE);
  expect(status).toBe(400);
  expect(JSON.parse(text).error).toContain("Failed to process element: 0 of 'instances' list.");
});

const PAIR = `
import json
def input_handler(data, context):
    return data.read()
def output_handler(response, context):
    return json.dumps([response.status_code, len(context)]), 'application/json'
`;

test('images up to 2.19 hand refusals of the model server to the output handler', async () => {
  const ask = await start(CLASSIC, { ...DOUBLE, 'code/inference.py': PAIR });
  expect(await ask('/invocations', '{}')).toMatchObject({ status: 200, text: '[400, 10]' });
});

test('images since 2.20 pass refusals on by themselves, and check the attributes', async () => {
  const ask = await start(CURRENT, { ...DOUBLE, 'code/inference.py': PAIR });
  expect(await ask('/invocations', '{"instances": [1]}')).toMatchObject({ status: 200, text: '[200, 11]' });
  const refused = await ask('/invocations', '{}');
  expect(refused.status).toBe(400);
  expect(JSON.parse(refused.text)).toEqual({
    title: '400',
    description: '{ "error": "Missing \\\'inputs\\\' or \\\'instances\\\' key" }',
  });
  const attributes = { 'x-amzn-sagemaker-custom-attributes': 'tfs-method=delete' };
  expect(await ask('/invocations', '{}', attributes)).toMatchObject({
    status: 400,
    text: '{"error":"invalid tfs-method: must be one of predict|classify|regress"}',
  });
});

test.each([
  [CLASSIC, 200],
  [CURRENT, 400],
])('packages without a script: %s answers %i to what the model server refuses', async (image, status) => {
  const ask = await start(image, { ...DOUBLE, 'code/lib/x.py': '' });
  expect((await ask('/invocations', '{}', JSON_TYPE)).status).toBe(status);
  expect((await ask('/invocations', '[1]', { 'content-type': 'text/plain' })).status).toBe(
    image === CURRENT ? 415 : 200,
  );
});

test('a script that never ends is killed after the timeout, and the next request is answered', async () => {
  const script = `
def handler(data, context):
    while data.read() == b'loop': data.seek(0)
    return 'done', 'text/plain'
`;
  const ask = await start(
    CLASSIC,
    { ...DOUBLE, 'code/inference.py': script },
    { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '1' },
  );
  expect(await ask('/invocations', 'loop')).toMatchObject({ status: 502, type: 'text/html' });
  expect(logLines).toContain('[CRITICAL] WORKER TIMEOUT');
  // A slow machine may take more than the second for this one, too.
  await expect.poll(() => ask('/invocations', 'go')).toMatchObject({ status: 200, text: 'done' });
});

test('a request that takes longer than nginx waits is answered 504', async () => {
  const script = `
import time
def handler(data, context):
    time.sleep(3600)
    return 'late', 'text/plain'
`;
  const environment = {
    SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '0',
    SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: '1',
  };
  const ask = await start(CLASSIC, { ...DOUBLE, 'code/inference.py': script }, environment);
  expect(await ask('/invocations', 'x')).toMatchObject({ status: 504, type: 'text/html' });
});

test('each of several workers has a script of its own, and they compute side by side', async () => {
  const script = `
import os
mine = os.urandom(8).hex()

def handler(data, context):
    sum(range(3_000_000))
    return mine, 'text/plain'
`;
  const environment = { SAGEMAKER_GUNICORN_WORKERS: '2' };
  const ask = await start(CLASSIC, { ...DOUBLE, 'code/inference.py': script }, environment);
  const answers = await Promise.all(['a', 'b'].map((body) => ask('/invocations', body)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
});

test('the log says which settings have no effect', async () => {
  logLines.length = 0;
  await start(CLASSIC, DOUBLE, { SAGEMAKER_TFS_INSTANCE_COUNT: '2', SAGEMAKER_GUNICORN_WORKERS: '64' });
  expect(logLines.slice(0, 2)).toEqual([
    'SAGEMAKER_GUNICORN_WORKERS is 64: this stack starts 8',
    'SAGEMAKER_TFS_INSTANCE_COUNT has no effect on this stack',
  ]);
});

test('requests are grouped if asked for', async () => {
  const ask = await start(CLASSIC, DOUBLE, {
    SAGEMAKER_TFS_ENABLE_BATCHING: 'true',
    SAGEMAKER_TFS_MAX_BATCH_SIZE: '2',
  });
  const answers = await Promise.all(['[[1]]', '[[2]]'].map((body) => ask('/invocations', body, JSON_TYPE)));
  expect(answers.map(({ text }) => JSON.parse(text).predictions)).toEqual([[[2]], [[4]]]);
  expect((await ask('/invocations', '[[1],[2],[3]]', JSON_TYPE)).text).toContain(
    'larger than maximum input batch size 2',
  );
});

test.each([
  [{ SAGEMAKER_TFS_ENABLE_BATCHING: 'yes' }, "SAGEMAKER_TFS_ENABLE_BATCHING must be 'true' or 'false'"],
  [
    { SAGEMAKER_TFS_DEFAULT_MODEL_NAME: 'other' },
    'SAGEMAKER_TFS_DEFAULT_MODEL_NAME must be one of model, is other',
  ],
  [
    { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: 'soon' },
    "SAGEMAKER_GUNICORN_TIMEOUT_SECONDS must be a non-negative integer, is 'soon'",
  ],
  [{ SAGEMAKER_GUNICORN_WORKERS: '0' }, "SAGEMAKER_GUNICORN_WORKERS must be a positive integer, is '0'"],
])('%o ends the container', async (environment, reason) => {
  await expect(start(CLASSIC, DOUBLE, environment)).rejects.toMatchObject({
    name: 'ContainerExited',
    message: reason,
  });
});

test('packages that would have to be installed end a container that has no network', async () => {
  const files = { ...DOUBLE, 'code/inference.py': '', 'code/requirements.txt': 'requests' };
  await expect(start(CLASSIC, files, {}, true)).rejects.toThrow(
    'code/requirements.txt cannot be installed: the model has EnableNetworkIsolation',
  );
  const ask = await start(CLASSIC, DOUBLE, {}, true);
  expect((await ask('/ping')).status).toBe(200);
});

test('a script that prints without end has its log cut, and counted', async () => {
  const from = logLines.length;
  const ask = await start(CLASSIC, {
    ...DOUBLE,
    'code/inference.py': `
def handler(data, context):
    for _ in range(4000): print('x' * 1000)
    return '[]', 'application/json'
`,
  });
  expect(await ask('/invocations', '[1]', JSON_TYPE)).toMatchObject({ status: 200 });
  await container?.stop();
  const lines = logLines.slice(from);
  const kept = lines.filter((line) => line.startsWith('xxx')).length;
  expect(kept).toBeLessThan(1_200);
  const dropped = lines.flatMap((line) => /^(\d+) lines? dropped/.exec(line)?.[1] ?? []);
  expect(kept + dropped.reduce((sum, count) => sum + Number(count), 0)).toBe(4_000);
});

test('docs/handlers.md: the handler of whole files runs as it stands', async () => {
  const script = handlerOf('Files sent as they are');
  const ask = await start(CLASSIC, { '1/saved_model.pb': 'length', 'code/inference.py': script });
  const answer = await ask('/invocations', 'twelve bytes', { 'content-type': 'application/x-image' });
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ predictions: [[12, 0.25]] });
  const refused = await ask('/invocations', 'broken', { 'content-type': 'application/x-image' });
  expect(refused).toMatchObject({ status: 500, text: expect.stringContaining('not an image') });
});

test('docs/handlers.md: the handler of CSV runs as it stands', async () => {
  const ask = await start(CLASSIC, { ...DOUBLE, 'code/inference.py': handlerOf('Rows of CSV') });
  const answer = await ask('/invocations', '1,2.5\n3,"4"\n', {
    'content-type': 'text/csv',
    accept: 'text/csv',
  });
  expect(answer).toEqual({
    status: 200,
    type: expect.stringContaining('text/csv'),
    text: '2.0,5.0\n6.0,8.0\n',
  });
});
