import { expect, test } from 'vitest';
import { layoutProblems } from '../../../src/frameworks/archives.ts';
import { FRAMEWORKS } from '../../../src/frameworks/frameworks.ts';

const HANDLER = 'code/inference.py';
const json = { contentType: 'application/json', networkIsolation: true } as const;
test.each([
  ['tensorflow', ['1/saved_model.pb', '1/assets/a..b'], json],
  ['tensorflow', ['1/saved_model.pb', '2/saved_model.pb.old'], json],
  ['tensorflow', ['1/saved_model.pb'], { ...json, contentType: 'TEXT/CSV ; header=absent' }],
  ['pytorch', ['model.pt', 'README'], json],
] as const)('an archive of %s with %j is served', (framework, files, needs) => {
  expect(layoutProblems(files, { framework, ...needs })).toEqual([]);
});

test.each([
  ['tensorflow', ['1/saved_model.pb', '../outside'], 'holds the path "../outside", which leaves the archive'],
  ['tensorflow', ['1/saved_model.pb', 'a/../../b'], 'holds the path "a/../../b", which leaves the archive'],
  ['tensorflow', ['1/saved_model.pb.old'], 'has no saved_model.pb'],
  [
    'tensorflow',
    ['1/saved_model.pbtxt'],
    'has 1/saved_model.pbtxt, a model as text, and the container only takes saved_model.pb',
  ],
  ['tensorflow', ['1/saved_model.pb.old', 'v1/saved_model.pb'], 'has v1/saved_model.pb, but'],
  ['pytorch', ['model.pth.bak'], 'has neither model.pt at its root nor code/inference.py'],
  ['pytorch', ['export/model.pth.bak', 'README'], 'has neither model.pt at its root nor code/inference.py'],
  [
    'pytorch',
    ['export/code/inference.py'],
    'has export/code/inference.py, but the container looks at the root',
  ],
] as const)('an archive of %s with %j is refused: it %s', (framework, files, reason) => {
  const problems = layoutProblems(files, { framework, ...json });
  expect(problems).toEqual([expect.stringContaining(reason)]);
});

test.each([[['1/saved_model.pb'], 'has no code/inference.py, and']])(
  'a handler that %j lack is asked for, with the types that need none',
  (files, start) => {
    const [problem] = layoutProblems(files, { framework: 'tensorflow', ...json, contentType: 'image/png' });
    expect(problem).toBe(
      `${start} without one the container answers 415 to transform.contentType "image/png": add a handler ` +
        '(docs/handlers.md has some to copy), or use one of ' +
        'application/json, application/jsonlines, application/jsons, text/csv',
    );
  },
);

test('images before 2.20 compare a content type with its parameters, and later ones do not', () => {
  const charset = {
    framework: 'tensorflow',
    ...json,
    contentType: 'application/json; charset=utf-8',
  } as const;
  const asked = (frameworkVersion: string, files = ['1/saved_model.pb']) =>
    layoutProblems(files, { ...charset, frameworkVersion });
  expect(asked('2.20')).toEqual([]);
  expect(asked('2.19', ['1/saved_model.pb', HANDLER])).toEqual([]);
  expect(asked('2.19')).toEqual([
    'has no code/inference.py, and without one the container answers 415 to transform.contentType "application/json; ' +
      'charset=utf-8": write "application/json", since images before TensorFlow 2.20 compare all of it, or add a handler',
  ]);
});

test('a module of the archive is not found in code, which is Python’s own', () => {
  const scripts = new Map([
    [
      HANDLER,
      'from code.helper import K\nfrom code import InteractiveConsole\ndef handler(data, context): pass',
    ],
    ['code/helper.py', 'K = 1'],
  ]);
  expect(
    layoutProblems(
      ['1/saved_model.pb', ...scripts.keys()],
      { framework: 'tensorflow', ...json },
      { scripts, kinds: new Map() },
    ),
  ).toEqual([
    'has a code/inference.py that imports helper from code, which is a module of Python itself: import it by its own name (import helper)',
  ]);
});

test('several models are refused until one is named', () => {
  const two = ['cat/1/saved_model.pb', 'dog/1/saved_model.pb'];
  const asked = (environment = {}) => layoutProblems(two, { framework: 'tensorflow', ...json, environment });
  expect(asked()).toEqual([
    'has the models cat, dog, and the container answers with whichever it finds first: set ' +
      'SAGEMAKER_TFS_DEFAULT_MODEL_NAME in model.environment to one of them, or pack only that one',
  ]);
  expect(asked({ SAGEMAKER_TFS_DEFAULT_MODEL_NAME: 'dog' })).toEqual([]);
  expect(asked({ SAGEMAKER_TFS_DEFAULT_MODEL_NAME: 'cow' })).toEqual([
    'has no such model: SAGEMAKER_TFS_DEFAULT_MODEL_NAME must be one of cat, dog, is cow',
  ]);
});

test('CSV, which can name no signature, needs the default one', () => {
  const contents = (names: string[]) => ({
    scripts: new Map(),
    kinds: new Map(),
    signatures: new Map([['1/saved_model.pb', names.map((name) => ({ name, inputs: [], outputs: [] }))]]),
  });
  const asked = (names: string[], contentType: string) =>
    layoutProblems(['1/saved_model.pb'], { framework: 'tensorflow', ...json, contentType }, contents(names));
  expect(asked(['embed'], 'text/csv')).toEqual([
    expect.stringMatching(/^has 1\/saved_model\.pb without the signature serving_default, .*; it has embed$/),
  ]);
  expect(asked(['embed', 'serving_default'], 'text/csv')).toEqual([]);
  expect(asked(['embed'], 'application/json')).toEqual([]);
});

// Defaults of the containers: gunicorn 30 s, nginx and TorchServe 60 s, TorchServe 6,553,500 bytes, the wait for TensorFlow 60 s.
const work = { frameworkVersion: '2.19.0', invocationsTimeoutInSeconds: 900, maxPayloadInMB: 6 };
const nginx = {
  SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '900',
  SAGEMAKER_NGINX_PROXY_READ_TIMEOUT_SECONDS: '900',
};

test.each([
  ['1.15', nginx],
  ['1.20', nginx],
  ['2.19.0', nginx],
  ['2.20', { ...nginx, SAGEMAKER_TFS_WAIT_TIME_SECONDS: '900' }],
  ['2.21.1', { ...nginx, SAGEMAKER_TFS_WAIT_TIME_SECONDS: '900' }],
  ['3.0', { ...nginx, SAGEMAKER_TFS_WAIT_TIME_SECONDS: '900' }],
])('TensorFlow %s is given the time of a request as %j', (frameworkVersion, limits) => {
  expect(FRAMEWORKS.tensorflow.limits({ ...work, frameworkVersion })).toEqual(limits);
});

test('TensorFlow 2.20 is given no less time to start than it has anyway', () => {
  const brief = { ...work, frameworkVersion: '2.20', invocationsTimeoutInSeconds: 20 };
  expect(FRAMEWORKS.tensorflow.limits(brief)).toMatchObject({
    SAGEMAKER_GUNICORN_TIMEOUT_SECONDS: '20',
    SAGEMAKER_TFS_WAIT_TIME_SECONDS: '60',
  });
});

test.each([
  [1, '6553500'],
  [6, '6553500'],
  [7, '7340032'],
  [100, '104857600'],
])(
  'TorchServe takes requests and answers of %d MB, and never less than by default',
  (maxPayloadInMB, bytes) => {
    expect(FRAMEWORKS.pytorch.limits({ ...work, maxPayloadInMB })).toEqual({
      SAGEMAKER_MODEL_SERVER_TIMEOUT: '900',
      TS_MAX_REQUEST_SIZE: bytes,
      TS_MAX_RESPONSE_SIZE: bytes,
    });
  },
);
