import { expect, test } from 'vitest';
import type {
  DType,
  ServableModel,
  Tensor,
} from '../../../local/sagemaker/containers/tensorflow/engine/servable-model.ts';
import { InvalidFeeds } from '../../../local/sagemaker/containers/tensorflow/engine/servable-model.ts';
import { createRestApi } from '../../../local/sagemaker/containers/tensorflow/serving/rest-api.ts';

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
    '{\n    "predictions": [\n        {\n            "a": 1,\n            "b": [0.5, 1.0]\n        },\n        {\n            "a": 2,\n            "b": [2.0, 3.0]\n        }\n    ]\n}',
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
    'Failed to process element: 0 of \\\'instances\\\' list. Error: INVALID_ARGUMENT: JSON Value: \\"a\\" Type: String is not of expected type: float',
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
    `  {\n   "version": "${version}",\n   "state": "AVAILABLE",\n   "status": {\n    "error_code": "OK",\n    "error_message": ""\n   }\n  }`;
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

test('a signature that is made for examples is not emulated', async () => {
  const [predictSignature] = floats.signatures;
  const methodName = 'tensorflow/serving/classify';
  const model = { ...floats, signatures: [{ ...predictSignature!, methodName }] };
  const own = createRestApi(new Map([['m', new Map([[1, model]])]]));
  expect((await own.answer('POST', '/v1/models/m:classify', '{"examples": [{}]}')).status).toBe(501);
  expect((await own.answer('GET', '/v1/models/m/metadata', '')).body).toContain(methodName);
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
