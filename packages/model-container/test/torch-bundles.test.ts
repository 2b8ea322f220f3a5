import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, expect, test } from 'vitest';
import type { Container } from '../container.ts';
import { createContainerHost } from '../container-host.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { FAKE_TORCH } from './support/fake-torch.ts';
import { modelArchive } from './support/model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const engineModule = new URL('./support/fake-engine.ts', import.meta.url).href;
const python = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');

/** Drives the PyTorch handler as AWS's toolkit does, from a handler of the TensorFlow container: Pyodide has no PyTorch. */
const DRIVER = `
import importlib, os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
served = importlib.import_module('bundle_inference')
class Request:
    def __init__(self, headers):
        self.headers, self.status = headers, 200
    def get_request_properties(self):
        return self.headers
    def get_response_status_code(self):
        return self.status
class Context:
    def __init__(self, headers):
        self.request_processor = [Request(headers)]
model = served.model_fn('/opt/ml/model', Context({}))
def handler(data, context):
    kind = context.request_content_type
    own = Context({'Content-Type': kind, 'Accept': context.accept_header})
    body = bytearray(data.read())
    text = body.decode('utf-8') if kind == 'application/json' else body
    answer = served.transform_fn(model, text, kind, context.accept_header, own)
    return answer if isinstance(answer, tuple) else (answer, context.accept_header)
`;

let container: Container | undefined;
afterEach(() => container?.stop());

async function start(own: string) {
  const modelDir = temporaryFolder('bundles-');
  const code = {
    ...FAKE_TORCH,
    'inference.py': DRIVER,
    'bundle_inference.py': python('pytorch/python/bundle_inference.py'),
    'inferdrop_bundle.py': python('bundles/python/inferdrop_bundle.py'),
    'inferdrop_served.py': own,
    // Nothing of the double is one of its arrays.
    'numpy.py': '',
  };
  const files = Object.fromEntries(Object.entries(code).map(([name, text]) => [`code/${name}`, text]));
  const archive = await modelArchive({ '1/saved_model.pb': 'double', ...files });
  await unpackModelArchive(Readable.from([archive]), modelDir);
  container = createContainerHost({ engineModule })({
    image: 'r/tensorflow-inference:2.19.0-cpu',
    modelDir,
    environment: {},
    networkIsolation: false,
    log: () => undefined,
  });
  const url = await container.listening;
  const ask = async (body: Uint8Array<ArrayBuffer> | string, type: string) => {
    const headers = { 'content-type': type, accept: 'application/json' };
    const response = await fetch(`${url.href}/invocations`, { method: 'POST', body, headers });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  const inBundle = async (inputs: readonly string[], contentType = 'application/json', form = 'tar') => {
    const about = { inputs: inputs.length, contentType };
    const tar = pack();
    tar.entry({ name: 'bundle.json' }, JSON.stringify(about));
    for (const [at, input] of inputs.entries()) tar.entry({ name: String(at).padStart(6, '0') }, input);
    tar.finalize();
    const text =
      form === 'tar'
        ? await ask(new Uint8Array(await buffer(tar)), 'application/x-tar')
        : await ask(
            [about, ...inputs].map((line) => `${JSON.stringify(line)}\n`).join(''),
            'application/vnd.inferdrop.records',
          );
    const [head, ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { head, lines, outputs: lines.map(({ output }) => output && JSON.parse(output)) };
  };
  return { ask, inBundle };
}

test.each(['tar', 'records'])(
  'predict_fn is called for all at once, and a refusal costs one: %s',
  async (form) => {
    const { ask, inBundle } = await start(`
import json
from torch import Tensor
calls = []
def input_fn(data, content_type, context):
    assert context.request_processor[0].headers['Content-Type'] == content_type == 'application/json'
    if data == 'calls':
        raise ValueError(json.dumps(calls))
    return Tensor(json.loads(data))
def predict_fn(data, model):
    calls.append(len(data.rows))
    return {'twice': Tensor([[2 * value for value in row] for row in data.rows]), 'rows': [str(row) for row in data.rows]}
def output_fn(prediction, accept, context):
    if prediction['twice'].rows[0][0] == 8:
        context.request_processor[0].status = 409
        return 'eight'
    text = json.dumps([prediction['twice'].tolist(), prediction['rows']])
    # It may change what it is given.
    prediction['twice'].rows[0][0] += 1
    return text
`);
    const inputs = ['[[1,\n2]]', 'no', '[[4, 0]]', '[[5, 6], [7, 8]]', '[[9]]'];
    const { head, lines, outputs } = await inBundle(inputs, 'application/json', form);
    expect(head.failed).toEqual([
      [1, 500],
      [2, 409],
    ]);
    expect(head).toMatchObject({ isJoint: true, differs: false });
    expect(head.notes).toBeUndefined();
    expect(lines[2].error.message).toBe('eight');
    expect(outputs[3]).toEqual([
      [
        [10, 12],
        [14, 16],
      ],
      ['[5, 6]', '[7, 8]'],
    ]);
    expect(outputs[0]).toEqual(JSON.parse(await ask('[[1, 2]]', 'application/json')));
    await inBundle(['[[1, 2]]', '[[3, 4]]', '[[5, 6]]']);
    const said = (await inBundle(['calls'])).lines[0].error.message;
    // The last bundle: three at once, and one of them alone.
    expect(JSON.parse(said).slice(-2)).toEqual([3, 1]);
    expect(JSON.parse(said)[0]).toBe(4);
  },
);

test('a predict_fn whose answers depend on other inputs is called for each, and a note says so', async () => {
  const { inBundle } = await start(`
from torch import Tensor
def predict_fn(data, model):
    most = max(value for row in data.rows for value in row)
    return Tensor([[value / most for value in row] for row in data.rows])
`);
  for (let bundle = 0; bundle < 2; bundle++) {
    const { head, outputs } = await inBundle(['[[2, 4]]', '[[4, 1]]', '[[3, 4]]']);
    expect(outputs).toEqual([[[0.5, 1]], [[1, 0.25]], [[0.75, 1]]]);
    expect(head.notes).toEqual([expect.stringContaining('answers a faint input differently together')]);
  }
});

test.each([
  // Batch normalization that was left in training goes by the mean of the batch, and moves its running mean.
  [
    'is left in training',
    `
from torch import Tensor
moved = [0]
def predict_fn(data, model):
    mean = sum(row[0] for row in data.rows) / len(data.rows)
    moved[0] += mean / 10
    return Tensor([[row[0] - mean] for row in data.rows])
`,
    ['[[1]]', '[[4]]'],
    { differs: true, notes: [expect.stringContaining('differently together with others than on its own')] },
    [[[0]], [[0]]],
  ],
  [
    'drops out at random',
    `
from torch import Tensor
asked = []
def predict_fn(data, model):
    asked.append(1)
    return Tensor([[row[0] * len(asked)] for row in data.rows])
`,
    ['[[1]]', '[[4]]'],
    { differs: true, notes: [expect.stringContaining('the same input differently each time')] },
    undefined,
  ],
  [
    'has a script that keeps the size of its last input',
    `
import json
from torch import Tensor
size = []
def input_fn(data, content_type):
    size[:] = [len(data)]
    return Tensor(json.loads(data))
def output_fn(prediction, accept):
    return json.dumps(size)
`,
    ['[[10]]', '[[1]]', '[[2]]'],
    {
      differs: true,
      notes: [expect.stringContaining("archive's script answers an input differently together with others")],
    },
    [[6], [5], [5]],
  ],
])('a model that %s is asked for each input alone', async (_name, script, inputs, head, outputs) => {
  const { inBundle } = await start(script);
  const found = await inBundle(inputs);
  expect(found.head).toMatchObject({ isJoint: false, ...head });
  if (outputs !== undefined) expect(found.outputs).toEqual(outputs);
});

test('a predict_fn that takes one input alone casts no doubt on those of other processes', async () => {
  const { inBundle } = await start(`
def predict_fn(data, model):
    assert len(data.rows) == 1
    return data
`);
  const { head, outputs } = await inBundle(['[[1]]', '[[2]]']);
  expect(outputs).toEqual([[[1]], [[2]]]);
  expect(head).toMatchObject({
    isJoint: false,
    differs: false,
    notes: [expect.stringContaining('does not take several')],
  });
});

test.each([
  [
    'fails once for an input alone',
    `
failed = []
def predict_fn(data, model):
    if len(data.rows) == 1 and not failed:
        failed.append(1)
        raise RuntimeError('out of memory')
    return data
`,
    [[[1]], [[2]]],
    { isJoint: true, differs: false },
  ],
  [
    'gives what cannot be compared',
    `
import json
class Table:
    def __init__(self, row):
        self.row = row
    def __eq__(self, other):
        raise ValueError('The truth value of a DataFrame is ambiguous')
def predict_fn(data, model):
    return [Table(row) for row in data.rows]
def output_fn(prediction, accept):
    return json.dumps([table.row for table in prediction])
`,
    [[[1]], [[2]]],
    { isJoint: false },
  ],
  [
    'gives no end beside others',
    `
from torch import Tensor
def predict_fn(data, model):
    return Tensor([[row[0] if len(data.rows) > 1 else float('inf')] for row in data.rows])
def output_fn(prediction, accept):
    return '0'
`,
    undefined,
    { isJoint: false, differs: true },
  ],
])('a predict_fn that %s', async (_name, script, outputs, head) => {
  const { inBundle } = await start(script);
  const found = await inBundle(['[[1]]', '[[2]]']);
  expect(found.head).toMatchObject(head);
  if (outputs !== undefined) expect(found.outputs).toEqual(outputs);
});

test('a transform_fn is called for each input', async () => {
  const { inBundle } = await start(`
import json
def transform_fn(model, data, content_type, accept):
    return json.dumps([model, content_type, len(data)]), accept
def model_fn(model_dir):
    return model_dir
`);
  const { outputs } = await inBundle(['a', 'bc'], 'image/png');
  expect(outputs).toEqual([
    ['/opt/ml/model', 'image/png', 1],
    ['/opt/ml/model', 'image/png', 2],
  ]);
});
