import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import type { Container } from '../container.ts';
import { createContainerHost } from '../container-host.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { openArchive, type OpenedArchive } from '../open-archive.ts';
import { modelArchive } from './support/model-archive.ts';
import { FIRST, rowNetwork, SECOND } from './support/row-network.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../examples');
const FIXTURES = path.resolve(import.meta.dirname, '../../savedmodel/test/fixtures');
const IMAGE = 'r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1';

let container: Container | undefined;
let opened: OpenedArchive | undefined;
const lines: string[] = [];
afterEach(async () => {
  await Promise.all([container?.stop(), opened?.close()]);
  container = opened = undefined;
  lines.length = 0;
});

async function unpack(archive: Buffer): Promise<string> {
  const modelDir = temporaryFolder('archive-');
  await unpackModelArchive(Readable.from([archive]), modelDir);
  return modelDir;
}

async function open(archive: Buffer, environment: Record<string, string> = {}): Promise<OpenedArchive> {
  const modelDir = await unpack(archive);
  return openArchive({ image: IMAGE, modelDir, environment, log: (line) => void lines.push(line) });
}

interface Body {
  readonly body: Buffer;
  readonly contentType: string;
}

/** Statuses and bodies of the container, and of the archive in this process, all asked at once. */
async function answersOf(archive: Buffer, bodies: readonly Body[], environment: Record<string, string> = {}) {
  const accept = 'application/json';
  container = createContainerHost()({
    image: IMAGE,
    modelDir: await unpack(archive),
    environment,
    networkIsolation: true,
    log: () => undefined,
  });
  const { href } = await container.listening;
  const served = await Promise.all(
    bodies.map(async ({ body, contentType }) => {
      const headers = { 'content-type': contentType, accept };
      const response = await fetch(`${href}/invocations`, {
        method: 'POST',
        body: Uint8Array.from(body),
        headers,
      });
      return [response.status, Buffer.from(await response.arrayBuffer()).toString('latin1')];
    }),
  );
  opened = await open(archive, environment);
  const here = await Promise.all(
    bodies.map(async ({ body, contentType }) => {
      const answer = await opened!.answer({ body, contentType, accept });
      return [answer.status, Buffer.from(answer.body).toString('latin1')];
    }),
  );
  return { served, here };
}

const json = (value: unknown): Body => ({
  body: Buffer.from(JSON.stringify(value)),
  contentType: 'application/json',
});

test('the example, whose handler runs in Pyodide, answers byte for byte as its container', async () => {
  const folder = path.join(EXAMPLES, 'fashion-mnist');
  const images = readdirSync(path.join(folder, 'images'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.png'))
    .slice(0, 24)
    .map((name) => ({
      body: readFileSync(path.join(folder, 'images', name)),
      contentType: 'application/x-image',
    }));
  const bodies = [
    ...images,
    { body: Buffer.from('no image'), contentType: 'image/png' },
    { body: Buffer.from('[1]'), contentType: 'application/json' },
  ];
  const { served, here } = await answersOf(readFileSync(path.join(folder, 'model.tar.gz')), bodies);
  expect(images).toHaveLength(24);
  expect(here).toEqual(served);
  expect(here.map(([status]) => status)).toEqual([...images.map(() => 200), 400, 500]);
});

test.each([{}, { SAGEMAKER_TFS_ENABLE_BATCHING: 'true', SAGEMAKER_TFS_MAX_BATCH_SIZE: '4' }])(
  'a SavedModel without a script, with %o, answers byte for byte as its container',
  async (environment) => {
    const bodies = [
      json({ instances: [FIRST] }),
      json({ instances: [FIRST, SECOND] }),
      json({ inputs: [SECOND] }),
      json({ instances: [[1]] }),
      json({}),
      { body: Buffer.from('1,2,3,4,5,6\n'), contentType: 'text/csv' },
      { body: Buffer.from('x'), contentType: 'application/x-image' },
    ];
    const { served, here } = await answersOf(await rowNetwork(), bodies, environment);
    expect(here).toEqual(served);
    expect(here.filter(([status]) => status === 200).length).toBeGreaterThanOrEqual(3);
  },
);

test('text, tables and images that the host computes are the same, too', async () => {
  const file = (inner: string): Buffer => readFileSync(path.join(FIXTURES, inner));
  const archive = await modelArchive({
    'learned/1/saved_model.pb': file('learned-table/saved_model.pb'),
    ...Object.fromEntries(
      readdirSync(path.join(FIXTURES, 'learned-table/variables')).map((name) => [
        `learned/1/variables/${name}`,
        file(`learned-table/variables/${name}`),
      ]),
    ),
  });
  const bodies = [json({ instances: ['a', 'b'] }), json({ instances: [['a']] }), json({ instances: [1] })];
  const { served, here } = await answersOf(archive, bodies);
  expect(here).toEqual(served);
});

test('a script that prints and dies is heard, replaced, and costs one answer', async () => {
  const script = `
import os
print('begun')
def handler(data, context):
    body = data.read()
    print('got', body.decode(), sorted(os.environ))
    while body == b'loop': pass
    return body, 'text/plain'
`;
  const archive = await rowNetwork({ 'code/inference.py': script });
  opened = await open(archive, { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '1' });
  const ask = (body: string) =>
    opened!.answer({ body: Buffer.from(body), contentType: 'text/plain', accept: 'text/plain' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const looping = ask('loop');
  while (!lines.some((line) => line.startsWith('got loop'))) await new Promise(setImmediate);
  vi.advanceTimersByTime(1_000);
  expect((await looping).status).toBe(502);
  vi.useRealTimers();
  // The one that has replaced it is new already.
  await opened.renewScript();
  expect(await ask('fine')).toMatchObject({ status: 200 });
  expect(lines.filter((line) => line.startsWith('got'))).toHaveLength(2);
  expect(lines.filter((line) => line === 'begun')).toHaveLength(2);
  expect(lines.join('\n')).not.toContain('AWS_');
});

test('a script that starts anew has forgotten what it held', async () => {
  const script = `
asked = []
def handler(data, context):
    asked.append(data.read())
    return str(len(asked)), 'text/plain'
`;
  opened = await open(await rowNetwork({ 'code/inference.py': script }));
  const ask = async () =>
    (await opened!.answer({ body: Buffer.from('x'), contentType: 'text/plain', accept: 'text/plain' })).body;
  const before = [await ask(), await ask()].map(String);
  await opened.renewScript();
  expect([...before, String(await ask())]).toEqual(['1', '2', '1']);
});

test.each([
  [
    'import numpy',
    "code/inference.py, line 1, imports numpy, which is not in Python's standard library",
    true,
  ],
  [
    'def handler(data, context):\n    import pwd',
    'code/inference.py, line 2, imports pwd, which Python 3.12 of the image has and the Python here (3.14) has not',
    true,
  ],
  [
    'try: pass\nexcept KeyError, ValueError: pass',
    'code/inference.py, line 2: Python 3.12 of the image does not know "except KeyError, ValueError: pass" (since ' +
      '3.14), so that AWS fails on it',
    false,
  ],
  ['1 / 0', 'code/inference.py: ZeroDivisionError: division by zero', false],
])('a script with %s is refused by name', async (script, reason, needsPython) => {
  const refused = open(await rowNetwork({ 'code/inference.py': script }));
  await expect(refused).rejects.toMatchObject({ name: 'HandlerRefused', reason, needsPython });
});

test('an archive without a model, or with a variable that is no number, is refused', async () => {
  await expect(open(await modelArchive({ 'readme.txt': '' }))).rejects.toMatchObject({
    name: 'ArchiveRefused',
  });
  const settings = { SAGEMAKER_TFS_MAX_BATCH_SIZE: 'many' };
  await expect(open(await rowNetwork(), settings)).rejects.toThrow('must be a non-negative integer');
});
