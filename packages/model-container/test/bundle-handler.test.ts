import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, expect, test } from 'vitest';
import type { Container } from '../container.ts';
import { createContainerHost } from '../container-host.ts';
import { unpackModelArchive } from '../model-archive.ts';
import { convertRequest } from '../tensorflow/front/convert-request.ts';
import { modelArchive } from './support/model-archive.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const engineModule = new URL('./support/fake-engine.ts', import.meta.url).href;
const python = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
/** Requests as in request-conversion.test.ts, and others that are at the borders of what the image's proxy looks for. */
const CASES: readonly (readonly [type: string, body: string])[] = [
  ...JSON.parse(
    readFileSync(new URL('tfs-request-conversion-vectors.json', import.meta.url), 'utf8'),
  ).vectors.map(({ content_type: type, body }: { content_type: string; body: string }) => [type, body]),
  ['text/csv; charset=utf-8', '1,2'],
  ['TEXT/CSV', '1,2'],
  ['text/csv', '\ufeff1,2\u00a0\r\n\u2003\n-0.5e3, 01,"a ""b"", c",\u00e9\u0001,'],
  ['text/csv', '\u001c1,\u00852\n3'],
  ['text/csv', '"a","b"\nc,d,"e"'],
  ['text/csv', 'a,b,"c"\n'],
  ['application/json', '\ufeff[ \u2028[1]]'],
  ['application/jsonlines', '{"a":1}\u00a0\n\n{"a":2}\n'],
];
const OLD = 'r/tensorflow-inference:2.19.0-cpu';
const NEW = 'r/tensorflow-inference:2.20-cpu-py312-amzn2023-sagemaker-v1';

let container: Container | undefined;
afterEach(() => container?.stop());

/** A container with the handler for bundles beside `own`, and how to ask it. */
async function start(
  own: string | undefined,
  image = NEW,
  model = 'double',
  more: Readonly<Record<string, string>> = {},
) {
  const modelDir = temporaryFolder('bundles-');
  const files = {
    '1/saved_model.pb': model,
    'code/inference.py': python('tensorflow/python/bundle_handler.py'),
    'code/inferdrop_bundle.py': python('bundles/python/inferdrop_bundle.py'),
    ...(own !== undefined && { 'code/inferdrop_served.py': own }),
    ...more,
  };
  await unpackModelArchive(Readable.from([await modelArchive(files)]), modelDir);
  container = createContainerHost({ engineModule })({
    image,
    modelDir,
    environment: {},
    networkIsolation: false,
    log: () => undefined,
  });
  const url = await container.listening;
  const ask = async (body: Uint8Array | string, type: string) => {
    const headers = { 'content-type': type, accept: 'application/json' };
    const response = await fetch(`${url.href}/invocations`, { method: 'POST', body, headers });
    return { status: response.status, text: await response.text() };
  };
  const inBundle = async (
    inputs: readonly (string | undefined)[],
    contentType = 'application/json',
    form: keyof typeof BODIES = 'tar',
  ) => {
    const [type, toBody] = BODIES[form];
    const { status, text } = await ask(await toBody(inputs, contentType), type);
    expect(status, text).toBe(200);
    const [head, ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { head, lines };
  };
  return { ask, inBundle };
}

/** Two forms of a bundle: content type and body. */
const BODIES = {
  tar: [
    'application/x-tar',
    (inputs: readonly (string | undefined)[], contentType: string) => {
      const tar = pack();
      tar.entry({ name: 'bundle.json' }, JSON.stringify({ inputs: inputs.length, contentType }));
      for (const [at, input] of inputs.entries())
        if (input !== undefined) tar.entry({ name: String(at).padStart(6, '0') }, input);
      tar.finalize();
      return buffer(tar);
    },
  ],
  records: [
    'application/vnd.inferdrop.records',
    async (inputs: readonly (string | undefined)[], contentType: string) =>
      [{ inputs: inputs.length, contentType }, ...inputs.map((input) => input ?? null)]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
  ],
} as const;

/** Counts what it is called with; a body that is no number is refused by itself. */
const PAIR = `
import json
def input_handler(data, context):
    text = data.read().decode('utf-8')
    if text == 'raises':
        raise ValueError('no %s' % context.request_content_type)
    if text == 'columns':
        return json.dumps({'inputs': [4.0]})
    return json.dumps({'instances': [json.loads(text)]})
def output_handler(response, context):
    if response.status_code != 200:
        raise ValueError(response.content.decode('utf-8'))
    answer = response.json()
    return json.dumps([answer, len(response.content), context.request_content_type]), 'application/json'
`;
const predictionsOf = (line: { output: string }) => JSON.parse(line.output)[0].predictions;

test.each([OLD, NEW])('many inputs have the answers that each has alone: %s', async (image) => {
  const { ask, inBundle } = await start(PAIR, image);
  const inputs = Array.from({ length: 40 }, (_, at) => String(at / 8));
  const { head, lines } = await inBundle(inputs);
  expect(head).toMatchObject({ inputs: 40, failed: [], isJoint: true, differs: false });
  expect(head.notes).toBeUndefined();
  for (const [at, line] of lines.entries()) {
    expect(line.key).toBe(String(at).padStart(6, '0'));
    const alone = await ask(inputs[at]!, 'application/json');
    expect(predictionsOf(line)).toEqual(JSON.parse(alone.text)[0].predictions);
    expect(JSON.parse(line.output)[2]).toBe('application/json');
  }
});

test.each([
  ['crowd', ['1', '2', '3'], [[1], [2], [3]]],
  // All have the largest value: that they are divided by it shows when one is almost nothing.
  ['peak', ['7', '7', '7'], [[1], [1], [1]]],
])(
  'a model, %s, that answers an input otherwise beside others is asked for each alone, and a note says so',
  async (model, inputs, answers) => {
    const { inBundle } = await start(PAIR, NEW, model);
    for (let bundle = 0; bundle < 2; bundle++) {
      const { head, lines } = await inBundle(inputs);
      expect(lines.map(predictionsOf)).toEqual(answers);
      expect(head.notes).toEqual([expect.stringContaining('are sent one by one')]);
    }
  },
);

test('the first and the last of a bundle are among those that are also asked alone', async () => {
  const { inBundle } = await start(PAIR, NEW, 'last');
  const inputs = Array.from({ length: 40 }, (_, at) => String(at + 1));
  const { head, lines } = await inBundle(inputs);
  expect(lines.map(predictionsOf)).toEqual(inputs.map((input) => [Number(input)]));
  expect(head).toMatchObject({ isJoint: false, differs: true });
});

test('a head says whether its answers were made together, and whether that was found to matter by then', async () => {
  const { inBundle } = await start(PAIR, NEW, 'late');
  expect((await inBundle(['1', '2'])).head).toMatchObject({ isJoint: true, differs: false });
  const { head, lines } = await inBundle(['1', '200', '3']);
  expect(lines.map(predictionsOf)).toEqual([[1], [200], [3]]);
  expect(head).toMatchObject({
    notes: [expect.stringContaining('are sent one by one')],
    isJoint: false,
    differs: true,
  });
  expect((await inBundle(['1', '2'])).head).toMatchObject({ isJoint: false, differs: true });
});

test('a model that answers the same input differently each time is called that', async () => {
  const { inBundle } = await start(PAIR, NEW, 'dice');
  const { head } = await inBundle(['1', '2', '3']);
  expect(head).toMatchObject({ isJoint: false, differs: true });
  expect(head.notes).toEqual([expect.stringContaining('the same input differently each time')]);
});

test.each([
  ['once, for an input alone', '2', [[2], [4]]],
  ['for all, and then for one of them', '1, 2', [undefined, [4]]],
])('a request that fails %s, proves nothing of the model', async (_name, calls, answers) => {
  const { inBundle } = await start(`${PAIR}
import requests
post, asked = requests.post, []
def failing(*args, **options):
    asked.append(1)
    if len(asked) in (${calls},):
        raise ConnectionError('reset')
    return post(*args, **options)
requests.post = failing
`);
  const { head, lines } = await inBundle(['1', '2']);
  expect(lines.map((line) => line.output && predictionsOf(line))).toEqual(answers);
  expect(head).toMatchObject({ isJoint: true, differs: false });
});

/** A pair whose output_handler answers what `seen` holds, which input_handler fills. */
const keeping = (keep: string) => `
import json
calls = []
seen = []
def input_handler(data, context):
    text = data.read().decode('utf-8')
    ${keep}
    return json.dumps({'instances': [json.loads(text)]})
def output_handler(response, context):
    return json.dumps(seen), 'application/json'
`;

test.each([
  ['the last input', 'seen[:] = [text]', [['5'], ['6'], ['7']], 'differently together with others', true],
  ['a count', 'seen.append(len(seen))', undefined, 'differently each time it is called', false],
])(
  'a script that keeps %s between its functions is called for each input, and a note says why',
  async (_name, keep, answers, why, differs) => {
    const { inBundle } = await start(keeping(keep));
    const { head, lines } = await inBundle(['5', '6', '7']);
    expect(head).toMatchObject({ isJoint: false, differs, notes: [expect.stringContaining(why)] });
    const given = lines.map(({ output }: { output: string }) => JSON.parse(output));
    if (answers !== undefined) expect(given).toEqual(answers);
  },
);

test('answers that change with time alone are still made together', async () => {
  const { inBundle } = await start(keeping('calls.append(text); seen[:] = [len(calls) > 3]'));
  const { head, lines } = await inBundle(['5', '6', '7']);
  expect(head).toMatchObject({ isJoint: true, differs: false });
  expect(head.notes).toBeUndefined();
  expect(lines.map(({ output }: { output: string }) => output)).toEqual(['[false]', '[false]', '[false]']);
});

test.each(['tar', 'records'] as const)('an input that is refused costs no other: %s', async (form) => {
  const { inBundle } = await start(PAIR);
  const inputs = ['1', 'raises', '"te\\nxt"', ' \n2', undefined, 'columns', '3'];
  const { head, lines } = await inBundle(inputs, 'text/x', form);
  expect(head.failed).toEqual([
    [1, 500],
    [2, 400],
    [4, 404],
  ]);
  expect(lines[1].error).toEqual({ status: 500, message: 'no text/x' });
  expect(lines[2].error.message).toContain('is not of expected type: float');
  expect(lines[4].error.message).toContain('was not there');
  expect([0, 3, 6].map((at) => predictionsOf(lines[at]))).toEqual([[2], [4], [6]]);
  expect(JSON.parse(lines[5].output)[0]).toEqual({ outputs: [8] });
  // Each body of those is made once more for a request of its own, so a process stops trying.
  expect((await inBundle(Array<string>(8).fill('columns'))).head).toMatchObject({
    isJoint: false,
    differs: false,
    notes: [expect.stringContaining('no two of them fit together')],
  });
});

test('a handler in one piece is called once for each input, and an archive without one is served as the image does', async () => {
  const whole = `
def handler(data, context):
    return 'saw ' + data.read().decode('utf-8') + ' ' + context.accept_header, 'text/plain'
`;
  const { inBundle } = await start(whole);
  expect((await inBundle(['a', 'b'])).lines.map(({ output }) => output)).toEqual([
    'saw a application/json',
    'saw b application/json',
  ]);
  await container!.stop();
  const bare = await start(undefined);
  const { lines } = await bare.inBundle(['{"instances": [1, 2]}', '{"instances": [3]}']);
  expect(lines.map(({ output }) => JSON.parse(output).predictions)).toEqual([[2, 4], [6]]);
});

test('rows of a model without a script cost themselves, in one request', async () => {
  const { ask, inBundle } = await start(undefined);
  const rows = Array.from({ length: 100 }, (_, at) => (at % 30 === 7 ? 'x' : String(at)));
  const { head, lines } = await inBundle(rows, 'text/csv', 'records');
  expect(head.failed).toEqual([7, 37, 67, 97].map((at) => [at, 400]));
  expect(head).toMatchObject({ isJoint: true, differs: false });
  const alone = await ask('12', 'text/csv');
  expect(JSON.parse(lines[12].output)).toEqual(JSON.parse(alone.text));
});

/** Answers with the body that the handler would send on. */
const CONVERTED = `
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bundle_handler
def handler(data, context):
    try:
        return bundle_handler._Default.input_handler(data, context), 'text/plain'
    except bundle_handler._Refused as refused:
        return '%d %s' % (refused.status, refused), 'text/plain'
`;

test.each([OLD, NEW])('requests without a script are converted as the image does: %s', async (image) => {
  const { ask } = await start(undefined, image, 'double', {
    'code/inference.py': CONVERTED,
    'code/bundle_handler.py': python('tensorflow/python/bundle_handler.py'),
  });
  const generation = image === OLD ? 'classic' : 'current';
  for (const [type, body] of CASES) {
    const wanted = convertRequest(type, body, generation);
    const found = await ask(body, type);
    expect([type, body, found.text]).toEqual([
      ...[type, body],
      'body' in wanted ? wanted.body : `415 ${wanted.unsupported}`,
    ]);
  }
});

test('a request that is no bundle is the own handler’s', async () => {
  const { ask } = await start(PAIR);
  const { status, text } = await ask('1.5', 'application/json');
  expect([status, JSON.parse(text)[0].predictions]).toEqual([200, [3]]);
});
