import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { handlerOf } from '../test/support/handlers-page.ts';
import { FAKE_ENGINE, startTestContainer } from './python-container.ts';

const IMAGE = 'r/tensorflow-inference:2.19.0-cpu';
const environmentsDir = mkdtempSync(join(tmpdir(), 'environments-'));
const options = { engineModule: FAKE_ENGINE, handlers: 'python', environmentsDir } as const;
const DOUBLE = { '1/saved_model.pb': 'double' };
const LENGTH = { '1/saved_model.pb': 'length' };
const photo = new Uint8Array(readFileSync(new URL('../../image/test/fixtures/rgb.png', import.meta.url)));

const containers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const container of containers.splice(0)) await container.stop();
});

async function start(
  files: Record<string, string>,
  environment: Record<string, string> = {},
  networkIsolation = false,
) {
  const started = await startTestContainer(IMAGE, files, options, environment, networkIsolation);
  containers.push(started.container);
  return started;
}

const PILLOW = `
import io, json
import numpy as np
from PIL import Image

def input_handler(data, context):
    assert context.request_content_type == 'application/x-image'
    image = np.asarray(Image.open(io.BytesIO(data.read())).convert('RGB'))
    return json.dumps({'instances': [[float(image.shape[0]), float(image.shape[1])]]})

def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode('utf-8'))
    return response.content, context.accept_header
`;

test('a script that needs Pillow and NumPy runs with its requirements; two jobs share one build', async () => {
  const files = { ...DOUBLE, 'code/inference.py': PILLOW, 'code/requirements.txt': 'pillow\nnumpy\n' };
  const both = await Promise.all([start(files), start(files)]);
  for (const { ask } of both) {
    const answer = await ask('/invocations', photo, { 'content-type': 'application/x-image' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text).predictions).toHaveLength(1);
  }
  expect(readdirSync(environmentsDir)).toHaveLength(1);
  expect(both.filter(({ log }) => log.some((line) => line.startsWith('Installing')))).toHaveLength(1);
}, 300_000);

test('docs/handlers.md: the handler with Pillow runs as it stands', async () => {
  const script = handlerOf('Images decoded with Pillow');
  const { ask } = await start({
    ...DOUBLE,
    'code/inference.py': script,
    'code/requirements.txt': 'pillow\nnumpy\n',
  });
  const answer = await ask('/invocations', photo, { 'content-type': 'application/x-image' });
  const [image] = JSON.parse(answer.text).predictions;
  expect([image.length, image[0].length, image[0][0].length]).toEqual([32, 32, 3]);
  expect(Math.max(...image.flat(2))).toBeLessThanOrEqual(2);
}, 300_000);

test('the log says when Python isn’t the image’s version', async () => {
  const script = `
import sys
def handler(data, context):
    return str(sys.version_info.minor), 'text/plain'
`;
  const { ask, log } = await start({ ...DOUBLE, 'code/inference.py': script });
  const { text: minor } = await ask('/invocations', new Uint8Array());
  expect(log.includes(`Python 3.${minor} here, 3.12 in the image`)).toBe(minor !== '12');
}, 300_000);

test('archives that share an environment see nothing of each other', async () => {
  const script = `
import importlib, sys
def handler(data, context):
    found = []
    for name in ('beside', 'vendored'):
        try:
            found.append(str(importlib.import_module(name).SAYS))
        except ImportError:
            found.append('not there')
    return ' '.join(found), 'text/plain'
`;
  const files = { ...DOUBLE, 'code/inference.py': script };
  const own = { 'code/beside.py': 'SAYS = 1', 'code/lib/vendored.py': 'SAYS = 2' };
  const one = await start({ ...files, ...own });
  expect((await one.ask('/invocations', 'x')).text).toBe('1 2');
  const other = await start(files);
  expect((await other.ask('/invocations', 'x')).text).toBe('not there not there');
});

test('handler sees the context, the environment, the model at its place, and the REST API by requests', async () => {
  const script = `
import base64, json, os, requests
def handler(data, context):
    body = json.dumps({'instances': [{'b64': base64.b64encode(data.read()).decode()}]})
    response = requests.post(context.rest_uri, data=body)
    with open('/opt/ml/model/code/words.txt') as words:
        return json.dumps([list(context)[5:], response.status_code, response.json(), os.environ['GREETING'], words.read(),
            os.environ.get('AWS_SECRET_ACCESS_KEY'), os.path.exists('/opt/ml/model/1/saved_model.pb')]), 'application/json'
`;
  const files = { ...LENGTH, 'code/inference.py': script, 'code/words.txt': 'from the archive' };
  const { ask } = await start(files, { GREETING: 'hello' });
  const answer = await ask('/invocations', 'four', { 'content-type': 'text/plain' });
  expect(JSON.parse(answer.text)).toEqual([
    [null, null, 'text/plain', '*/*', 4],
    200,
    { predictions: [[4, 0.25]] },
    'hello',
    'from the archive',
    null,
    true,
  ]);
}, 120_000);

test('what the handler raises is 500, and the container goes on', async () => {
  const script = `
def handler(data, context):
    body = data.read()
    if body == b'end': import os; os._exit(3)
    if body == b'bad': raise ValueError('no such thing')
    return body, 'text/plain'
`;
  const { ask } = await start({ ...DOUBLE, 'code/inference.py': script });
  expect(await ask('/invocations', 'bad')).toMatchObject({ status: 500, text: '{"error": "no such thing"}' });
  expect(await ask('/invocations', 'end')).toMatchObject({ status: 502 });
  expect(await ask('/invocations', 'go')).toMatchObject({ status: 200, text: 'go' });
}, 120_000);

test('a handler that waits for the model lets others go on; one that computes for too long is killed', async () => {
  const script = `
import time
running = []
def handler(data, context):
    body = data.read()
    if body == b'loop':
        while True: pass
    running.append(body)
    while len(running) < 2: time.sleep(0.01)
    return b'together', 'text/plain'
`;
  const { ask, log } = await start(
    { ...DOUBLE, 'code/inference.py': script },
    { SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '2' },
  );
  const both = await Promise.all([ask('/invocations', 'a'), ask('/invocations', 'b')]);
  expect(both.map(({ text }) => text)).toEqual(['together', 'together']);
  expect(await ask('/invocations', 'loop')).toMatchObject({ status: 502 });
  expect(log).toContain('[CRITICAL] WORKER TIMEOUT');
}, 120_000);

test.each([
  [
    'a package that no index has',
    { 'code/requirements.txt': 'inferdrop-no-such-package==1.0\n', 'code/inference.py': '' },
    /pip cannot install requests inferdrop-no-such-package==1\.0: .*No matching distribution.* To try it by hand: python3 -m venv try && try\/bin\/python -m pip install requests inferdrop-no-such-package==1\.0/,
  ],
  [
    'a module that nothing installs',
    { 'code/inference.py': 'import torchvision' },
    /code\/inference\.py imports torchvision, which is not installed: name its package in code\/requirements\.txt/,
  ],
])(
  '%s stops the container with the reason',
  async (_name, files, reason) => {
    await expect(start({ ...DOUBLE, ...files })).rejects.toThrow(reason);
    expect(readdirSync(environmentsDir).filter((name) => name.includes('building'))).toEqual([]);
  },
  120_000,
);

test('without Python the container exits with the command that installs it', async () => {
  process.env.INFERDROP_PYTHON = '/no/such/python';
  try {
    const files = { ...DOUBLE, 'code/inference.py': PILLOW, 'code/requirements.txt': 'pillow==1' };
    await expect(start(files)).rejects.toThrow(
      'INFERDROP_PYTHON must name a Python, /no/such/python is not there',
    );
  } finally {
    delete process.env.INFERDROP_PYTHON;
  }
});

const CALLS_OUT = `
import json, socket, urllib.request
import requests

def handler(data, context):
    said = {}
    address = json.loads(data.read())
    for name, call in {
        'http': lambda: urllib.request.urlopen(address, timeout=5).status,
        'requests': lambda: requests.get(address, timeout=5).status_code,
        'name': lambda: socket.getaddrinfo('s3.us-east-1.amazonaws.com', 443)[0][4][1],
        'datagram': lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 53)),
        'model': lambda: requests.post(context.rest_uri, json={'instances': [1]}).status_code,
    }.items():
        try:
            said[name] = call()
        except Exception as error:
            said[name] = str(error)
    return json.dumps(said), 'application/json'
`;

test('a handler in isolation reaches its model server, and nothing of the stack or the network', async () => {
  const stack = createServer((_, response) => response.end('an object'));
  await once(stack.listen(0, '127.0.0.1'), 'listening');
  const { port } = stack.address() as AddressInfo;
  const ask = async (networkIsolation: boolean) => {
    const { ask } = await start({ ...DOUBLE, 'code/inference.py': CALLS_OUT }, {}, networkIsolation);
    return JSON.parse((await ask('/invocations', JSON.stringify(`http://127.0.0.1:${port}/`))).text);
  };
  try {
    expect(await ask(false)).toMatchObject({ http: 200, requests: 200, model: 200 });
    const isolated = await ask(true);
    expect(isolated).toMatchObject({
      http: expect.stringContaining('Network is unreachable'),
      requests: expect.stringContaining('Network is unreachable'),
      name: expect.stringContaining('Temporary failure in name resolution'),
      datagram: expect.stringContaining('Network is unreachable'),
      model: 200,
    });
  } finally {
    stack.close();
  }
}, 120_000);
