import { expect, test } from 'vitest';
import { requestProblems } from '../../../src/plan/judge/judge-requests.ts';

const IRIS = [-1, 4];
const IMAGE = [-1, 2, 2, 3];
const FITTING = [
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
  [
    [1, 2, 3],
    [1, 2, 3],
  ],
];

/** Problems of one input, whose model takes records of a shape. */
function judge(
  text: string,
  shape: readonly number[] | undefined,
  { type = 'application/json', isPlain = true, kind = 'float' as 'float' | 'string', inputs = 1 } = {},
) {
  const tensor = { name: 'x', kind, shape };
  const signature = {
    name: 'serving_default',
    inputs: Array.from({ length: inputs }, () => tensor),
    outputs: [],
  };
  const sampled = [{ key: 'a', text }];
  return requestProblems(sampled, { contentType: type }, { signature, isPlain }).map(
    ({ message }) => message,
  );
}

test.each<[unknown, readonly number[], string, string]>([
  [{ instances: [[1, 2, 3]] }, IRIS, '[3]', '[4]'],
  [{ instances: FITTING }, IMAGE, '[2, 3]', '[2, 2, 3]'],
  [{ instances: [{ x: [1, 2] }] }, IRIS, '[2]', '[4]'],
  [{ inputs: [[1, 2, 3]] }, IRIS, '[3]', '[4]'],
  [[[1, 2, 3, 4, 5]], IRIS, '[5]', '[4]'],
  [[1, 2, 3], IRIS, '[3]', '[4]'],
  [{ instances: [[[1]]] }, [-1, -1], '[1, 1]', '[any]'],
])('%j is not what a model of %j takes', (body, shape, found, wanted) => {
  expect(judge(JSON.stringify(body), shape)).toEqual([
    `has records of shape ${found}, and the model takes ${wanted} (input "x" of its signature serving_default): send records of that shape`,
  ]);
});

test('rows have as many cells as the model takes numbers', () => {
  expect(judge('1,2,3\n4,5,6\n', IRIS, { type: 'text/csv' })).toEqual([
    'has rows of 3 cells, and the model takes [4] numbers a record (input "x" of its signature serving_default): let ' +
      'each row have 4 cells, and none of them a label or an id',
  ]);
  expect(judge('1,2,3\n4,5,6,7\n', IRIS, { type: 'text/csv' })).toEqual([]);
  expect(judge('1\n2\n', [-1, 1], { type: 'text/csv' })).toEqual([]);
});

test.each<[string, unknown, readonly number[] | undefined, Parameters<typeof judge>[2]]>([
  ['fits', { instances: [FITTING] }, IMAGE, {}],
  ['fits where any size is taken', [[1, 2]], [-1, -1], {}],
  ['is read by a handler', [[1, 2]], IRIS, { isPlain: false }],
  ['is text', { instances: ['a'] }, [-1], { kind: 'string' }],
  ['is encoded', { instances: [{ b64: 'AA==' }] }, IRIS, {}],
  ['is for a model of several inputs', [[1, 2]], IRIS, { inputs: 2 }],
  ['is for a model of any shape', [[1, 2]], undefined, {}],
  ['is for a model of one batch size', [[1, 2]], [1, 4], {}],
  [
    'has one record that fits',
    [
      [1, 2],
      [1, 2, 3, 4],
    ],
    IRIS,
    {},
  ],
  ['is no request', {}, IRIS, {}],
])('what %s is left to the model', (_what, body, shape, options) => {
  expect(judge(JSON.stringify(body), shape, options)).toEqual([]);
});

test('what cannot be read is left to the model', () => {
  expect(judge('{"instances": [', IRIS)).toEqual([]);
});

const NAMED = [{ name: 'predict_scores', inputs: [], outputs: [] }];
const json = { contentType: 'application/json' };
const ask = (text: string, signatures: NonNullable<Parameters<typeof requestProblems>[2]['signatures']>) =>
  requestProblems([{ key: 'a', text }], json, { signature: undefined, signatures, isPlain: true }).map(
    ({ message }) => message,
  );

test('requests that name no signature are refused where the model has no default one, and not where it cannot be read', () => {
  const [refused] = ask('{"instances":[[1]]}', NAMED);
  expect(refused).toMatch(
    /^names no signature, and the model is one without the signature serving_default.*it has predict_scores$/,
  );
  expect(ask('{"instances":[[1]]}', 'unread')).toEqual([]);
  expect(ask('{"signature_name":"predict_scores","instances":[[1]]}', NAMED)).toEqual([]);
  expect(ask('{"signature_name":"other","instances":[[1]]}', NAMED)).toEqual([
    'asks for the signature "other", and the model has predict_scores',
  ]);
});

test('records are measured against the signature that they ask for', () => {
  const of = (name: string, width: number) => ({
    name,
    inputs: [{ name: 'x', kind: 'float' as const, shape: [-1, width] }],
    outputs: [],
  });
  const signatures = [of('serving_default', 4), of('small', 2)];
  const asked = (...names: readonly string[]) =>
    requestProblems(
      names.map((name) => ({ key: name, text: `{"signature_name":"${name}","instances":[[1,2]]}` })),
      json,
      { signature: signatures[0], signatures, isPlain: true },
    ).map(({ message }) => message);
  expect(asked('small')).toEqual([]);
  expect(asked('serving_default', 'small')).toEqual([]);
  expect(asked('serving_default')).toEqual([expect.stringContaining('takes [4]')]);
});
