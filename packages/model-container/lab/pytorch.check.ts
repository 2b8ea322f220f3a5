import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { installEngine } from '../python-environments/engine-environment.ts';
import { startTestContainer } from './python-container.ts';

const IMAGE = 'r/pytorch-inference:2.6.0-cpu-py312';
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' };

beforeAll(() => installEngine('pytorch', () => undefined));
const containers: { stop(): Promise<void> }[] = [];
afterAll(async () => {
  for (const container of containers) await container.stop();
});

async function start(script: string, environment: Record<string, string> = {}, files = {}) {
  const archive = { 'code/inference.py': script, 'model.pth': '', ...files };
  const started = await startTestContainer(
    IMAGE,
    archive,
    {},
    { SAGEMAKER_MODEL_SERVER_WORKERS: '1', ...environment },
  );
  containers.push(started.container);
  return started;
}

test('the four functions, the defaults around them, and the errors, are the toolkit’s own', async () => {
  const { ask } = await start(`
import torch
from sagemaker_inference.errors import BaseInferenceToolkitError

def model_fn(model_dir, context):
    assert context.system_properties['model_dir'] == model_dir
    return torch.nn.Linear(2, 1, bias=False).requires_grad_(False)

def predict_fn(data, model, context):
    if data.sum() < 0:
        raise BaseInferenceToolkitError(422, 'negative', 'Negative')
    return data * 2 + len(context.get_all_request_header(0)) * 0
`);
  expect(await ask('/ping')).toMatchObject({ status: 200, text: '{\n  "status": "Healthy"\n}\n' });
  expect(await ask('/execution-parameters')).toMatchObject({ status: 404 });
  expect(await ask('/invocations', '[[1, 2]]', JSON_TYPE)).toMatchObject({
    status: 200,
    type: 'application/json',
    text: '[[2.0, 4.0]]',
  });
  expect(
    await ask('/invocations', '1,2\n', { 'content-type': 'text/csv', accept: 'text/csv' }),
  ).toMatchObject({
    status: 200,
    type: 'text/csv',
    text: '2.0\n4.0\n',
  });
  expect(await ask('/invocations', '[[-1]]', JSON_TYPE)).toMatchObject({ status: 422 });
  const unknown = await ask('/invocations', 'x', { ...JSON_TYPE, 'content-type': 'application/x-image' });
  expect(unknown.status).toBe(500);
  expect(unknown.text).toContain('Content type application/x-image is not supported by this framework');
}, 120_000);

test('only transform_fn answers; together with predict_fn it is refused', async () => {
  const transform = `
def model_fn(model_dir): return 3
def transform_fn(model, data, content_type, accept):
    return str(model * len(data)), 'text/plain'
`;
  const { ask } = await start(transform);
  expect(await ask('/invocations', 'four', { 'content-type': 'application/x-image' })).toMatchObject({
    status: 200,
    type: 'text/plain',
    text: '12',
  });
  await expect(start(`${transform}\ndef predict_fn(data, model): return data`)).rejects.toThrow(
    'Cannot use transform_fn implementation in conjunction with input_fn, predict_fn, and/or output_fn implementation',
  );
}, 120_000);

test('the limits of TorchServe hold, and can be raised', async () => {
  const script = `
import time
def model_fn(model_dir): return None
def transform_fn(model, data, content_type, accept):
    if data == b'slow': time.sleep(60)
    if data == b'long': return 'x' * 2000, 'text/plain'
    return str(len(data)), 'text/plain'
`;
  const { ask, log } = await start(script, {
    SAGEMAKER_MODEL_SERVER_TIMEOUT: '1',
    TS_MAX_RESPONSE_SIZE: '1000',
  });
  const type = { 'content-type': 'application/octet-stream' };
  expect(await ask('/invocations', new Uint8Array(6_553_500), type)).toMatchObject({ text: '6553500' });
  expect(await ask('/invocations', new Uint8Array(6_553_501), type)).toMatchObject({ status: 413, text: '' });
  const died = { code: 500, type: 'InternalServerException', message: 'Worker died.' };
  const slow = await ask('/invocations', 'slow', type);
  expect([slow.status, JSON.parse(slow.text)]).toEqual([500, died]);
  const long = await ask('/invocations', 'long', type);
  expect([long.status, JSON.parse(long.text)]).toEqual([500, died]);
  expect(log.join('\n')).toContain('Message size exceed limit: 2000');
  expect(await ask('/invocations', 'next', type)).toMatchObject({ status: 200, text: '4' });

  const raised = await start(script, { TS_MAX_REQUEST_SIZE: '7000000' });
  expect(await raised.ask('/invocations', new Uint8Array(6_553_501), type)).toMatchObject({
    text: '6553501',
  });
}, 180_000);

test('the archive’s requirements are installed in addition to the toolkit, which is not installed again', async () => {
  const { ask, log } = await start(
    `
import colorama, torch
def model_fn(model_dir): return None
def transform_fn(model, data, content_type, accept): return colorama.__version__ + torch.__version__, 'text/plain'
`,
    {},
    { 'code/requirements.txt': 'colorama==0.4.6\ntorch\n' },
  );
  expect((await ask('/invocations', 'x', { 'content-type': 'text/plain' })).text).toMatch(/^0\.4\.62\.13\.0/);
  expect(log.join('\n')).not.toContain('Collecting torch');
}, 180_000);

test.each([
  ['def model_fn(model_dir): raise OSError("no weights")', 'OSError: no weights'],
  ['', 'Exactly one .pth or .pt file is required'],
])(
  'an exception of %j while it loads stops the container',
  async (script, reason) => {
    await expect(start(script, {}, { 'other.pth': '' })).rejects.toThrow(reason);
  },
  120_000,
);

test('the example gives the same classes as its own test set says', async () => {
  const example = new URL('../../../examples/', import.meta.url);
  const { container, ask } = await startTestContainer(
    IMAGE,
    readFileSync(new URL('pytorch-fashion-mnist/model.tar.gz', example)),
    {},
  );
  containers.push(container);
  const image = readFileSync(new URL('fashion-mnist/images/0002_trouser.png', example));
  const answer = await ask('/invocations', new Uint8Array(image), {
    'content-type': 'application/x-image',
    accept: 'application/json',
  });
  const [scores] = JSON.parse(answer.text).predictions;
  expect(scores.indexOf(Math.max(...scores))).toBe(1);
}, 120_000);
