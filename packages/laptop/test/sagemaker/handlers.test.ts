import {
  CreateModelCommand,
  CreateTransformJobCommand,
  DescribeTransformJobCommand,
} from '@aws-sdk/client-sagemaker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { modelArchive } from '../../../model-container/test/support/model-archive.ts';
import { ownCache } from '../../../model-container/test/support/own-cache.ts';
import { IMAGE, jobInput, localSageMaker, ROLE } from './local-sagemaker.ts';

let stack: Awaited<ReturnType<typeof localSageMaker>>;
beforeAll(async () => {
  vi.stubEnv('INFERDROP_CACHE', ownCache());
  stack = await localSageMaker();
  for (const body of ['four', 'broken']) stack.objects.put(`in/${body}`, body);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stack.close();
});

let number = 0;
/** Runs a job on the files `four` and `broken` with the archive; its outputs, log and reason. */
async function transform(files: Record<string, string> | Buffer, image = IMAGE) {
  const ModelName = `model-${++number}`;
  stack.objects.put(`${ModelName}.tar.gz`, Buffer.isBuffer(files) ? files : await modelArchive(files));
  const PrimaryContainer = {
    Image: image,
    ModelDataUrl: `s3://bucket/${ModelName}.tar.gz`,
    Environment: { GREETING: 'hello' },
  };
  await stack.client.send(new CreateModelCommand({ ModelName, PrimaryContainer, ExecutionRoleArn: ROLE }));
  const TransformOutput = { S3OutputPath: `s3://bucket/${ModelName}`, Accept: 'application/json' };
  stack.logLines.length = 0;
  await stack.client.send(new CreateTransformJobCommand(jobInput(ModelName, { ModelName, TransformOutput })));
  await stack.idle();
  const { FailureReason } = await stack.client.send(
    new DescribeTransformJobCommand({ TransformJobName: ModelName }),
  );
  return {
    reason: FailureReason,
    four: stack.objects.text(`${ModelName}/four.out`),
    broken: stack.objects.text(`${ModelName}/broken.out`),
    log: stack.logLines.join('\n'),
  };
}
const script = (source: string) => transform({ '1/saved_model.pb': 'length', 'code/inference.py': source });

test('handler sees the whole context, the environment, and reaches the REST API with requests', async () => {
  const { four, reason } = await script(`
import base64, json, os, requests
def handler(data, context):
    body = json.dumps({'instances': [{'b64': base64.b64encode(data.read()).decode()}]})
    response = requests.post(context.rest_uri, data=body)
    status = requests.get(context.rest_uri.replace(':predict', '')).json()
    assert context.rest_uri.endswith('/v1/models/model:predict') and context.rest_uri.startswith('http://localhost:')
    return json.dumps([list(context)[:3], list(context)[5:], response.status_code, response.json() if response.ok else response.text,
        status['model_version_status'][0]['state'], os.environ['GREETING'], os.environ['SAGEMAKER_BATCH']]), 'application/json'
`);
  expect(reason).toBeUndefined();
  const context = [null, 'application/x-image', 'application/json', 4];
  expect(JSON.parse(four!)).toEqual([
    [null, null, null],
    [null, ...context],
    200,
    { predictions: [[4, 0.25]] },
    'AVAILABLE',
    'hello',
    'true',
  ]);
});

test('an exception of the script is a 500 with its text, and a traceback in the log', async () => {
  const { reason, log, four } = await script(`
def input_handler(data, context):
    raise ValueError('cannot read ' + data.read().decode())
def output_handler(response, context): pass
`);
  expect(reason).toBe('AlgorithmError: See job logs for more information');
  expect(four).toBeUndefined();
  expect(log).toContain('bucket/in/four: {"error": "cannot read four"}');
  expect(log).toContain('ValueError: cannot read four');
});

test("the model's refusal reaches the output handler, which decides", async () => {
  const { four, broken, log } = await script(`
import base64, json
def input_handler(data, context):
    return json.dumps({'instances': [{'b64': base64.b64encode(data.read()).decode()}]})
def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode('utf-8'))
    return response.content, context.accept_header
`);
  expect(JSON.parse(four!)).toEqual({ predictions: [[4, 0.25]] });
  expect(broken).toBeUndefined();
  expect(log).toContain('{"error": "{ \\"error\\": \\"not an image\\" }"}');
});

test('bytes come back as they are, text as UTF-8', async () => {
  const { four, broken } = await script(`
def handler(data, context):
    return (b'\\xc3\\xa9\\xc3', 'x/y') if data.read() == b'four' else ('é', 'x/y')
`);
  expect([four, broken]).toEqual([Buffer.from([0xc3, 0xa9, 0xc3]).toString(), 'é']);
});

test('other hosts are refused', async () => {
  const { log } = await script(`
import requests
def handler(data, context):
    return requests.get('http://example.com/').content, 'text/plain'
`);
  expect(log).toContain(
    "a handler that runs without a Python installation reaches only the container's own REST API",
  );
});

test.each([
  [
    'a package',
    { 'code/inference.py': 'import numpy' },
    "code/inference.py, line 1, imports numpy, which is not in Python's standard library: run with `--handlers python`",
  ],
  [
    'requirements',
    { 'code/inference.py': '', 'code/requirements.txt': 'requests\nPillow==9 # images\n' },
    'code/requirements.txt asks for Pillow==9, which needs a Python installation: run with `--handlers python`',
  ],
  [
    'half a pair',
    { 'code/inference.py': 'def input_handler(data, context): pass' },
    'NotImplementedError: Handlers are not implemented correctly in user script.',
  ],
  ['a syntax error', { 'code/inference.py': 'def (' }, 'code/inference.py: SyntaxError'],
])('%s fails the job with the reason', async (_name, files, reason) => {
  const failed = await transform({ '1/saved_model.pb': 'length', ...files });
  expect(failed.reason).toContain('AlgorithmError: Model container failed to respond to ping.');
  expect(failed.reason).toContain(reason);
});

test('vendored packages in code/lib are found', async () => {
  const { four } = await transform({
    '1/saved_model.pb': 'length',
    'code/lib/vendored.py': 'NAME = "vendored"',
    'code/requirements.txt': 'vendored',
    'code/inference.py': 'import vendored\ndef handler(data, context): return vendored.NAME, "text/plain"',
  });
  expect(four).toBe('vendored');
});

test('without a script, requests are converted and the model answers', async () => {
  stack.objects.put('in/four', '4');
  const { reason, log } = await transform({ '1/saved_model.pb': 'double' });
  expect(reason).toBe('ClientError: See job logs for more information');
  expect(log).toContain('{"error": "Unsupported Media Type: application/x-image"}');
});

test.each([
  ['no SavedModel', { 'model.txt': 'x' }, IMAGE, 'no SavedModel bundles found!'],
  [
    'unsupported operations',
    { '1/saved_model.pb': 'unsupported' },
    IMAGE,
    'The model uses operations that cannot be converted: Conv3D, Tile',
  ],
  [
    'PyTorch',
    { 'model.pth': 'x' },
    'registry/pytorch-inference:2.6.0-cpu-py312',
    'ClientError: image registry/pytorch-inference:2.6.0-cpu-py312: pytorch is not installed',
  ],
  ['an unknown image', { x: 'x' }, 'registry/my-own:1', 'repository must be one of tensorflow-inference'],
])('%s fails the job with the reason', async (_name, files, image, reason) => {
  const failed = await transform(files, image);
  expect(failed.reason).toContain(reason);
  expect(failed.log).toContain(reason);
});

test('what is no archive fails the job with the reason', async () => {
  expect((await transform(Buffer.from('zip'))).reason).toContain(
    'ClientError: Failed to extract model data archive for container "container_1" from URL "s3://bucket/model-',
  );
});
