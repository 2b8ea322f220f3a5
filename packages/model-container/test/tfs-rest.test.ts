import { expect, test } from 'vitest';
import {
  type DType,
  InvalidFeeds,
  type ServableModel,
  type Tensor,
} from '@inferdrop/savedmodel/servable-model';
import { readExample } from '../../savedmodel/host/example/example-proto.ts';
import { createRestApi } from '../tensorflow/serving/rest-api.ts';

/** A model that answers with its inputs, renamed `<input>` → `<name>`. */
function echo(
  inputs: Record<string, { dtype: DType; as?: string }>,
  more: Partial<ServableModel> = {},
): ServableModel {
  const spec = (name: string, dtype: DType) => ({ name, dtype, shape: [-1] });
  return {
    signatures: [
      {
        name: 'serving_default',
        inputs: Object.entries(inputs).map(([name, { dtype }]) => spec(name, dtype)),
        outputs: Object.entries(inputs).map(([name, { dtype, as }]) => spec(as ?? name, dtype)),
      },
    ],
    run: async (_signature, feeds) =>
      new Map<string, Tensor>([...feeds].map(([name, tensor]) => [inputs[name]?.as ?? name, tensor])),
    close: async () => undefined,
    ...more,
  };
}

const floats = echo({ x: { dtype: 'float32', as: 'y' } });
const predict = async (model: ServableModel, body: unknown) => {
  const api = createRestApi(new Map([['m', new Map([[1, model]])]]));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { status, body: answer } = await api.answer('POST', '/v1/models/m:predict', text);
  return status === 200 ? answer : `${status} ${answer}`;
};

test('rows of one output come on one line', async () => {
  expect(await predict(floats, { instances: [3.5, 4, 5.5] })).toBe(
    '{\n    "predictions": [3.5, 4.0, 5.5\n    ]\n}',
  );
  expect(
    await predict(floats, {
      instances: [
        [1, 2],
        [3, 4],
      ],
    }),
  ).toBe('{\n    "predictions": [[1.0, 2.0], [3.0, 4.0]\n    ]\n}');
});

test('columns come one value a line', async () => {
  expect(await predict(floats, { inputs: [[1], [2]] })).toBe(
    '{\n    "outputs": [\n        [\n            1.0\n        ],\n        [\n            2.0\n        ]\n    ]\n}',
  );
  expect(await predict(floats, { inputs: 7 })).toBe('{\n    "outputs": 7.0\n}');
});

test('several outputs are objects', async () => {
  const model = echo({ a: { dtype: 'int64' }, b: { dtype: 'float32' } });
  expect(
    await predict(model, {
      instances: [
        { a: 1, b: [0.5, 1] },
        { b: [2, 3], a: 2 },
      ],
    }),
  ).toBe(
    '{\n    "predictions": [\n        {\n            "a": 1,\n            "b": [0.5, 1.0]\n        },\n        {\n    ' +
      '        "a": 2,\n            "b": [2.0, 3.0]\n        }\n    ]\n}',
  );
  expect(await predict(model, { inputs: { a: [1], b: [2] } })).toBe(
    '{\n    "outputs": {\n        "a": [\n            1\n        ],\n        "b": [\n            2.0\n        ]\n    }\n}',
  );
});

test('64-bit integers keep all their digits', async () => {
  const model = echo({ a: { dtype: 'int64' } });
  expect(await predict(model, '{"instances": [9007199254740993]}')).toContain('[9007199254740993');
});

test('base64 becomes bytes; an output that ends with _bytes becomes base64 again', async () => {
  const b64 = Buffer.from([0, 255, 10]).toString('base64');
  const bytes = echo({ image_bytes: { dtype: 'string' } });
  expect(await predict(bytes, { instances: [{ b64 }] })).toBe(
    `{\n    "predictions": [{\n            "b64": "${b64}"\n        }\n    ]\n}`,
  );
  const text = echo({ image_bytes: { dtype: 'string', as: 'text' } });
  expect(
    await predict(text, { instances: ['plain', { b64: Buffer.from('é').toString('base64') }] }),
  ).toContain('["plain", "é"');
});

test('numbers that JSON does not know are written bare, and read', async () => {
  expect(await predict(floats, '{"instances": [NaN, Infinity, -Infinity, 1e40]}')).toContain('400');
  expect(await predict(floats, '{"instances": [NaN, Infinity, -Infinity]}')).toContain(
    '[NaN, Infinity, -Infinity',
  );
});

test.each<[string, unknown, string]>([
  ['nothing', '', 'JSON Parse error: The document is empty'],
  [
    'no JSON',
    '{"instances": [1',
    'JSON Parse error: Missing a comma or ] after an array element. at offset: 16',
  ],
  [
    'two documents',
    '{"instances":[1]}{}',
    'JSON Parse error: The document root must not be followed by other values. at offset: 17',
  ],
  ['no object', '[1]', 'JSON Value: [\\n    1\\n] Is not object'],
  ['neither form', {}, "Missing \\'inputs\\' or \\'instances\\' key"],
  ['no rows', { instances: [] }, "No values in \\'instances\\' array"],
  ['no list', { instances: 1 }, "Excepting \\'instances\\' to be an list/array"],
  [
    'another signature',
    { signature_name: 'other', instances: [1] },
    'Serving signature name: \\"other\\" not found in signature def',
  ],
  [
    'text for a number',
    { instances: ['a'] },
    'Failed to process element: 0 of \\\'instances\\\' list. Error: INVALID_ARGUMENT: JSON Value: \\"a\\" Type: ' +
      'String is not of expected type: float',
  ],
  ['an object for a number', { instances: [{ b64: 'AA==' }] }, 'Type: Object is not of expected type: float'],
  [
    'ragged rows',
    { instances: [[1], [1, 2]] },
    "Failed to process element: 1 of \\'instances\\' list. Error: INVALID_ARGUMENT: Expecting tensor size: 1 but got: 2",
  ],
  [
    'ragged lists',
    { instances: [[[1, 2], [3]]] },
    'Encountered list at unexpected size: 1 at level: 1 expected size: 2',
  ],
  [
    'an unknown name',
    { instances: [{ z: 1 }] },
    "Failed to process element: 0 key: z of \\'instances\\' list. Error: INVALID_ARGUMENT: JSON object: does not have named input: z",
  ],
  [
    'more than a float holds',
    '{"instances": [16777217]}',
    'Cannot convert JSON value: 16777217 to float without loss of precision.',
  ],
])('%s is refused', async (_name, body, message) => {
  const answer = await predict(floats, body);
  expect(answer).toMatch(/^400 \{ "error": "/);
  expect(answer).toContain(message);
});

test('several inputs want objects with every name', async () => {
  const model = echo({ a: { dtype: 'float32' }, b: { dtype: 'float32' } });
  expect(await predict(model, { instances: [1] })).toContain(
    'instances is a plain list, but expecting list of objects',
  );
  expect(await predict(model, { instances: [{ a: 1 }] })).toContain('keys must be equal to: a,b');
  expect(await predict(model, { inputs: { a: 1 } })).toContain(
    "Missing named input: b in \\'inputs\\' object.",
  );
});

test('a whole number is needed for integers', async () => {
  const model = echo({ a: { dtype: 'int32' } });
  expect(await predict(model, '{"instances": [1.0]}')).toContain(
    'JSON Value: 1.0 Type: Number is not of expected type: int32',
  );
  expect(await predict(model, '{"instances": [2147483648]}')).toContain('is not of expected type: int32');
});

test('bad base64 is refused', async () => {
  const model = echo({ image_bytes: { dtype: 'string' } });
  expect(await predict(model, { instances: [{ b64: '*' }] })).toContain('Unable to base64 decode');
});

test("what the engine does not take is the caller's error", async () => {
  const run = () => Promise.reject(new InvalidFeeds('not an image'));
  expect(await predict(echo({ x: { dtype: 'float32' } }, { run }), { instances: [1] })).toBe(
    '400 { "error": "not an image" }',
  );
});

const api = createRestApi(
  new Map([
    [
      'm',
      new Map([
        [1, floats],
        [12, floats],
      ]),
    ],
  ]),
);

test('status of all versions, and of one', async () => {
  const available = (version: string) =>
    `  {\n   "version": "${version}",\n   "state": "AVAILABLE",\n   "status": {\n    "error_code": "OK",\n    ` +
    `"error_message": ""\n   }\n  }`;
  expect(await api.answer('GET', '/v1/models/m', '')).toEqual({
    status: 200,
    body: `{\n "model_version_status": [\n${available('12')},\n${available('1')}\n ]\n}\n`,
  });
  expect((await api.answer('GET', '/v1/models/m/versions/1', '')).body).toContain('"version": "1"');
});

const MADE_FOR_PREDICT = 'Was: tensorflow/serving/predict';
test.each([
  ['classify', '', 'JSON Parse error: The document is empty'],
  ['classify', '{"instances": [1]}', "When method is classify, key 'examples' is expected and was not found"],
  ['regress', '{"examples": 1}', "Expecting 'examples' value to be an list/array"],
  ['regress', '{"examples": []}', "'examples' value is an empty array"],
  ['classify', '{"signature_name": "x", "examples": [{}]}', 'No signature was found with the name: x'],
  [
    'classify',
    '{"examples": [{}]}',
    `Expected classification signature method_name to be tensorflow/serving/classify. ${MADE_FOR_PREDICT}`,
  ],
  [
    'regress',
    '{"examples": [{}]}',
    `Expected regression signature method_name to be tensorflow/serving/regress. ${MADE_FOR_PREDICT}`,
  ],
])('%s of %s is refused in the words of TensorFlow Serving', async (verb, body, message) => {
  const { status, body: answer } = await api.answer('POST', `/v1/models/m:${verb}`, body);
  expect(status).toBe(400);
  expect(answer.replaceAll("\\'", "'")).toContain(message);
});

/** A model that is asked with examples and gives these outputs; it keeps what it was asked. */
function madeForExamples(verb: 'classify' | 'regress', outputs: Record<string, Tensor>, input = 'inputs') {
  const asked: Tensor[] = [];
  const specs = Object.entries(outputs).map(([name, { dtype, shape }]) => ({ name, dtype, shape }));
  const model = echo(
    { [input]: { dtype: 'string' } },
    {
      signatures: [
        {
          name: 'serving_default',
          methodName: `tensorflow/serving/${verb}`,
          inputs: [{ name: input, dtype: 'string', shape: [-1] }],
          outputs: specs,
        },
      ],
      run: async (_signature, feeds) => {
        asked.push(...feeds.values());
        return new Map(Object.entries(outputs));
      },
    },
  );
  const own = createRestApi(new Map([['m', new Map([[1, model]])]]));
  return { asked, ask: (body: string) => own.answer('POST', `/v1/models/m:${verb}`, body), api: own };
}

const texts = (...data: string[]) => data.map((text) => Buffer.from(text));
const SCORES: Tensor = { dtype: 'float32', shape: [2, 2], data: Float32Array.of(0.25, 0.75, 1, 0) };
const CLASSES: Tensor = { dtype: 'string', shape: [2, 2], data: texts('a', 'b', 'a', 'b') };
const TWO = '{"examples": [{}, {}]}';

test('classes and scores are pairs, a row an example', async () => {
  const { ask, api: own } = madeForExamples('classify', { classes: CLASSES, scores: SCORES });
  expect(await ask(TWO)).toEqual({
    status: 200,
    body: '{\n    "results": [[["a", 0.25], ["b", 0.75]], [["a", 1.0], ["b", 0.0]]\n    ]\n}',
  });
  expect((await own.answer('GET', '/v1/models/m/metadata', '')).body).toContain(
    'tensorflow/serving/classify',
  );
});

test('classes alone have no score, scores alone no class', async () => {
  const alone = async (outputs: Record<string, Tensor>) =>
    JSON.parse((await madeForExamples('classify', outputs).ask(TWO)).body).results[0];
  expect(await alone({ classes: CLASSES })).toEqual([
    ['a', 0],
    ['b', 0],
  ]);
  expect(await alone({ scores: SCORES })).toEqual([
    ['', 0.25],
    ['', 0.75],
  ]);
});

test('values of a regression are one list, from a vector or a column', async () => {
  const body = '{\n    "results": [0.5, -2.0]\n}';
  for (const shape of [[2], [2, 1]]) {
    const outputs: Tensor = { dtype: 'float32', shape, data: Float32Array.of(0.5, -2) };
    expect(await madeForExamples('regress', { outputs }).ask(TWO)).toEqual({ status: 200, body });
  }
});

test('features are bytes, floats or integers as JSON writes them; the context comes before each example', async () => {
  const { asked, ask } = madeForExamples('classify', { scores: { ...SCORES, shape: [1, 4] } });
  const example = '{"t": ["é", {"b64": "AP8="}], "i": [true, -1, 1099511627776], "n": [], "own": 2}';
  await ask(`{"context": {"c": 1.5, "own": 1}, "examples": [${example}]}`);
  const [given] = asked[0]!.data as Uint8Array[];
  expect(Object.fromEntries(readExample(given!, 'here'))).toEqual({
    c: { dtype: 'float32', values: [1.5] },
    t: { dtype: 'string', values: texts('é').concat(Buffer.from([0, 255])) },
    i: { dtype: 'int64', values: [1, -1, 2 ** 40] },
    own: { dtype: 'int64', values: [2] },
  });
});

test.each([
  ['{"examples": [1]}', 'Example must be JSON object but got JSON Number'],
  ['{"examples": [{"a": null}]}', 'Feature: a has element with unexpected JSON type: Null'],
  ['{"examples": [{"a": [[1]]}]}', 'Feature: a has element with unexpected JSON type: Array'],
  ['{"examples": [{"a": {"x": 1}}]}', 'Feature: a has element with unexpected JSON type: Object'],
  ['{"examples": [{"a": [1, 1.5]}]}', 'Unexpected element type in feature: a expecting type: int64'],
  ['{"examples": [{"a": ["x", 1]}]}', 'Unexpected element type in feature: a expecting type: bytes'],
  ['{"examples": [{"a": 18446744073709551615}]}', 'Feature: a has uint64 element. Only int64 is supported.'],
  ['{"examples": [{"a": 1e39}]}', 'Cannot convert JSON value: 1e+39 to float without loss of precision.'],
  ['{"examples": [{"a": {"b64": "*"}}]}', 'Unable to base64 decode'],
  ['{"examples": [{}]}', 'Expected scores output batch size of 1. Got: 2'],
])('%s is refused as TensorFlow Serving does', async (body, message) => {
  const { status, body: answer } = await madeForExamples('classify', { scores: SCORES }).ask(body);
  expect(status).toBe(400);
  expect(answer).toContain(message);
});

test.each<['classify' | 'regress', Record<string, Tensor>, string, string]>([
  ['classify', { scores: SCORES }, 'examples', 'No classification inputs found in SignatureDef'],
  ['regress', { outputs: SCORES }, 'examples', 'No regression inputs found in SignatureDef'],
  ['classify', { other: SCORES }, 'inputs', 'at least one of'],
  ['regress', { other: SCORES }, 'inputs', 'No regression outputs found in SignatureDef'],
  ['regress', { a: SCORES, b: SCORES }, 'inputs', 'Expected one output Tensor.'],
  [
    'classify',
    { a: SCORES, b: SCORES, scores: SCORES },
    'inputs',
    'Expected one or two output Tensors, found 3',
  ],
  ['classify', { classes: SCORES }, 'inputs', 'Expected classes Tensor of DT_STRING. Got: DT_FLOAT'],
  ['classify', { scores: { ...SCORES, shape: [4] } }, 'inputs', '[batch_size num_classes] but got [4]'],
  [
    'classify',
    { classes: { ...CLASSES, shape: [2, 1], data: texts('a', 'b') }, scores: SCORES },
    'inputs',
    'Got 1 vs. 2',
  ],
  ['regress', { outputs: SCORES }, 'inputs', '[batch_size, 1] but got [2,2]'],
  ['regress', { outputs: CLASSES }, 'inputs', '[batch_size, 1] but got [2,2]'],
  ['regress', { outputs: { ...SCORES, shape: [4] } }, 'inputs', 'did not match output batch size: 2 vs. 4'],
])('a signature that does not fit %s is refused: case %#', async (verb, outputs, input, message) => {
  const { status, body } = await madeForExamples(verb, outputs, input).ask(TWO);
  expect(status).toBe(400);
  expect(body).toContain(message);
});

test('metadata has the signatures', async () => {
  const { body } = await api.answer('GET', '/v1/models/m/metadata', '');
  expect(JSON.parse(body)).toMatchObject({
    model_spec: { name: 'm', version: '12' },
    metadata: {
      signature_def: { signature_def: { serving_default: { inputs: { x: { dtype: 'DT_FLOAT' } } } } },
    },
  });
});

test.each([
  ['POST', '/v1/models/none:predict', 404, 'Servable not found for request: Latest(none)'],
  ['POST', '/v1/models/m/versions/7:predict', 404, 'Servable not found for request: Specific(m, 7)'],
  ['POST', '/v1/models/m', 400, 'Malformed request: POST /v1/models/m'],
  ['GET', '/v1/other', 400, 'Malformed request: GET /v1/other'],
])('%s %s is %i', async (method, path, status, message) => {
  expect(await api.answer(method, path, '')).toEqual({ status, body: `{ "error": "${message}" }` });
});
