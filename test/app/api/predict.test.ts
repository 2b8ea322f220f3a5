import { describe, expect, it } from 'vitest';
import { toInvocationProblem } from '../../../src/app/api/invocation-problem.ts';
import { measurePlannedWait, predict } from '../../../src/app/api/predict.ts';
import { servedFacts } from '../../../src/app/api/served-facts.ts';
import { ContainerError, type Runtime } from '../../../src/aws/sagemaker/runtime.ts';
import type { Served } from '../../../src/endpoint/served.ts';
import type { Measurement } from '../../../src/run/measurement.ts';
import { servedVariant } from '../../support/served-variant.ts';
import { tokenOf } from '../../support/token-of.ts';

const variant = (classes: string[]) => servedVariant({ classes });
const SERVED: Served = {
  schema: 1,
  pipeline: 'clothes',
  endpointName: 'endpoint',
  status: 'in-service',
  live: 'v1',
  variants: { v1: variant(['shoe', 'bag']) },
  deployedAt: '2026-03-02T09:15:07.120Z',
  expiresAt: null,
  idleHours: null,
  warnedAt: null,
  warnedOf: null,
  owner: null,
  autoscaling: null,
  hourlyUsd: 0.23,
  maxHourlyUsd: null,
};
const answer = (scores: number[], variantName = 'v1') => ({
  body: Buffer.from(JSON.stringify({ predictions: [scores] })),
  contentType: 'application/json',
  variant: variantName,
});

const EVENT: any = {
  version: '2.0',
  routeKey: 'POST /predict/{pipeline}',
  rawPath: '/predict/clothes',
  headers: { 'content-type': 'image/png' },
  pathParameters: { pipeline: 'clothes' },
  queryStringParameters: {},
  body: Buffer.from('png').toString('base64'),
  isBase64Encoded: true,
};

const SERVICES: Parameters<typeof predict>[1] = {
  pipelinesClaim: '',
  served: async () => SERVED,
  runtime: { invoke: () => Promise.reject(new Error('not to be asked')) },
  functions: { answer: () => Promise.reject(new Error('not to be asked')) },
  deadline: () => new AbortController().signal,
  nowMs: () => 0,
  measure: () => undefined,
};

/** Asks about one image. */
async function ask(
  invoke: Runtime['invoke'],
  { served = [SERVED], request = {} }: { served?: (Served | undefined)[]; request?: object } = {},
) {
  const left = [...served];
  return predict(
    { ...EVENT, ...request },
    { ...SERVICES, served: async () => (left.length > 1 ? left.shift() : left[0]), runtime: { invoke } },
  );
}
/** The request with these files, each by its name. */
const parts = (files: Record<string, string>) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
  body: `${Object.entries(files)
    .map(([name, body]) => `--b\r\ncontent-disposition: form-data; filename="${name}"\r\n\r\n${body}\r\n`)
    .join('')}--b--`,
  isBase64Encoded: false,
});
const throws = (name: string) => async (): Promise<never> => {
  throw Object.assign(new Error('because'), { name });
};

it('labels the answer, and sends what batch transform would send', async () => {
  const seen: unknown[] = [];
  const response = await ask(async (endpointName, { contentType, accept, body }) => {
    seen.push([endpointName, contentType, accept, Buffer.from(body).toString()]);
    return answer([0.2, 0.8]);
  });
  expect(seen).toEqual([['endpoint', 'application/x-image', 'application/json', 'png']]);
  expect(JSON.parse(response.body)).toEqual({
    pipeline: 'clothes',
    run: 'clothes/monday/000001',
    model: { name: 'model', sha256: 'a'.repeat(64) },
    variant: 'v1',
    latencyMs: 0,
    predictions: [
      {
        input: null,
        label: 'bag',
        index: 1,
        score: 0.8,
        topK: [
          { label: 'bag', index: 1, score: 0.8 },
          { label: 'shoe', index: 0, score: 0.2 },
        ],
      },
    ],
  });
});

it.each([
  ['application/x-image', '', 'application/x-image'],
  ['application/x-image', 'content-type: image/webp\r\n', 'application/x-image'],
  ['application/x-image', 'content-type: text/csv\r\n', 'text/csv'],
  ['text/csv', '', 'text/csv'],
  ['text/csv', 'content-type: application/octet-stream\r\n', 'text/csv'],
])('to a pipeline of %s a part with %j goes as %s', async (pipelineType, header, sent) => {
  const seen: string[] = [];
  const served = [
    { ...SERVED, variants: { v1: { ...variant(['shoe', 'bag']), contentType: pipelineType } } },
  ];
  const request = {
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: `--b\r\ncontent-disposition: form-data; name="f"\r\n${header}\r\n1,2\r\n--b--`,
    isBase64Encoded: false,
  };
  await ask(async (_, { contentType }) => (seen.push(contentType), answer([0.2, 0.8])), { served, request });
  expect(seen).toEqual([sent]);
});

it('reports more records than an answer has room for, where Lambda would only fail', async () => {
  const many = {
    ...answer([]),
    body: Buffer.from(JSON.stringify({ predictions: Array(40_000).fill([0.2, 0.8]) })),
  };
  const request = { headers: { 'content-type': 'text/csv' }, body: '1,2', isBase64Encoded: false };
  await expect(ask(async () => many, { request })).rejects.toMatchObject({
    kind: 'body-too-large',
    message: expect.stringMatching(
      /^the answer about 40000 records has \d+ bytes, and an answer has at most 4500000: send fewer at once/,
    ),
  });
});

it('answers about several inputs in their order, at most 8 of them at once', async () => {
  const names = Array.from({ length: 20 }, (_, at) => String(at));
  let underWay = 0;
  let most = 0;
  const invoke = async (_: string, { body }: { readonly body: Uint8Array }) => {
    most = Math.max(most, ++underWay);
    const place = Number(Buffer.from(body).toString());
    // Later inputs are answered sooner.
    for (let turn = 20; turn > place; turn -= 1) await Promise.resolve();
    underWay -= 1;
    return answer(place % 2 === 0 ? [0.9, 0.1] : [0.1, 0.9]);
  };
  const request = parts(Object.fromEntries(names.map((name) => [name, name])));
  const { predictions } = JSON.parse((await ask(invoke, { request })).body);
  expect(predictions.map(({ input, label }: any) => [input, label])).toEqual(
    names.map((name, at) => [name, at % 2 === 0 ? 'shoe' : 'bag']),
  );
  expect(most).toBe(8);
});

it('gives an image one prediction, and records one each', async () => {
  const two = { ...answer([]), body: Buffer.from('{"predictions": [[0.2, 0.8], [0.9, 0.1]]}') };
  const records = { headers: { 'content-type': 'text/csv' }, body: '1\n2', isBase64Encoded: false };
  expect(JSON.parse((await ask(async () => two, { request: records })).body).predictions).toHaveLength(2);
  await expect(ask(async () => two)).rejects.toMatchObject({ kind: 'unreadable-answer' });
});

it('says how long the model took, and gives it 28 seconds', async () => {
  const times = [100, 1_234.56];
  const deadlines: number[] = [];
  const { body } = await predict(EVENT, {
    ...SERVICES,
    runtime: { invoke: async () => answer([0.2, 0.8]) },
    deadline: (ms) => (deadlines.push(ms), new AbortController().signal),
    nowMs: () => times.shift()!,
  });
  expect(JSON.parse(body).latencyMs).toBe(1_134.6);
  expect(deadlines).toEqual([28_000]);
});

it('is only for callers whose token opens the pipeline, and asks nothing of others', async () => {
  const asked = predict(
    { ...EVENT, ...tokenOf({ pipelines: 'hats' }) },
    { ...SERVICES, pipelinesClaim: 'pipelines' },
  );
  await expect(asked).rejects.toMatchObject({ kind: 'pipeline-not-opened' });
});

describe('with raw=1', () => {
  const raw = (text: string) => ({ queryStringParameters: { raw: text } });
  const html = async () => ({ ...answer([]), body: Buffer.from('<p>'), contentType: 'text/html' });

  it.each(['1', 'true'])("the answer is the container's own (raw=%s)", async (text) => {
    expect(await ask(html, { request: raw(text) })).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
      body: Buffer.from('<p>').toString('base64'),
      isBase64Encoded: true,
    });
  });

  it.each(['0', 'false'])('and raw=%s it is labeled', async (text) => {
    const { body } = await ask(async () => answer([0.2, 0.8]), { request: raw(text) });
    expect(JSON.parse(body).predictions).toHaveLength(1);
  });

  it.each([
    ['other words', { request: raw('yes') }, 'raw must be 0 or 1'],
    [
      'several inputs',
      { request: { ...raw('1'), ...parts({ a: '1', b: '2' }) } },
      '?raw=1 gives the answer about one input: send one, not several',
    ],
  ])('%s are refused', async (_, given, message) => {
    await expect(ask(html, given)).rejects.toMatchObject({ kind: 'invalid-request', message });
  });

  it.each([
    [4_500_000, undefined],
    [4_500_001, 'the container answered 4500001 bytes, and an answer has at most 4500000'],
  ])('an answer has room for %i bytes', async (length, message) => {
    const asked = ask(async () => ({ ...answer([]), body: Buffer.alloc(length) }), { request: raw('1') });
    if (message === undefined) expect((await asked).statusCode).toBe(200);
    else await expect(asked).rejects.toMatchObject({ kind: 'unreadable-answer', message });
  });
});

it('ends where a variant answers that served.json lacks', async () => {
  await expect(ask(async () => answer([0.2, 0.8], 'v2'))).rejects.toMatchObject({
    name: 'VariantUnknown',
    message: 'variant v2 of endpoint is not in served.json',
  });
});

it('asks afresh what serves where nothing is in service, and labels at once what has come into service', async () => {
  const fresh: (boolean | undefined)[] = [];
  const ask = (first: Served | undefined) =>
    predict(EVENT, {
      ...SERVICES,
      served: async (_, now) => (fresh.push(now), now === true ? SERVED : first),
      runtime: { invoke: async () => answer([0.2, 0.8]) },
    });
  for (const first of [SERVED, undefined, { ...SERVED, status: 'creating' as const }])
    expect((await ask(first)).statusCode).toBe(200);
  expect(fresh).toEqual([undefined, undefined, true, undefined, true]);
});

it('labels each of several answers by the classes of the variant that gave it', async () => {
  const updated = { ...SERVED, variants: { ...SERVED.variants, v2: variant(['boot', 'sack']) } };
  const { body } = await predict(
    { ...EVENT, ...parts({ a: 'v1', b: 'v2' }) },
    {
      ...SERVICES,
      served: async (_, fresh) => (fresh === true ? updated : SERVED),
      runtime: { invoke: async (_, { body }) => answer([0.2, 0.8], Buffer.from(body).toString()) },
    },
  );
  expect(JSON.parse(body).predictions.map(({ label }: any) => label)).toEqual(['bag', 'sack']);
});

it('asks the container for the form of answer that the pipeline asks for', async () => {
  const seen: string[] = [];
  const served = [{ ...SERVED, variants: { v1: { ...variant(['shoe', 'bag']), accept: 'text/csv' } } }];
  await ask(async (_, { accept }) => (seen.push(accept), answer([0.2, 0.8])), { served });
  expect(seen).toEqual(['text/csv']);
});

it('reads the facts again where a variant answers that they do not know', async () => {
  const updated = { ...SERVED, variants: { ...SERVED.variants, v2: variant(['boot', 'sack']) } };
  const response = await ask(async () => answer([0.2, 0.8], 'v2'), { served: [SERVED, updated] });
  expect(JSON.parse(response.body).predictions[0].label).toBe('sack');
});

it.each([
  ['EndpointAsleep', 'old'],
  ['EndpointMissing', 'old'],
  ['ValidationError', null],
])('asks the inference component that has just come to serve, after %s of %s', async (name, before) => {
  const of = (live: string, component: string | null) => ({
    ...SERVED,
    live,
    variants: { [live]: { ...variant(['shoe', 'bag']), component } },
  });
  const asked: (string | undefined)[] = [];
  const { body } = await ask(
    async (_, { component }) => {
      asked.push(component);
      if (component !== 'new') throw Object.assign(new Error('gone'), { name });
      return answer([0.2, 0.8], component);
    },
    { served: [of('old', before), of('new', 'new')] },
  );
  expect([asked, JSON.parse(body).variant]).toEqual([[before ?? undefined, 'new'], 'new']);
});

describe('what goes wrong has a kind and a status of its own:', () => {
  it.each([
    ['EndpointMissing', 'no-endpoint'],
    ['RunFileMissing', 'model-error'],
    ['InvocationAborted', 'answer-timeout'],
    ['TimeoutError', 'answer-timeout'],
    ['ModelNotReady', 'endpoint-not-ready', 2],
    ['EndpointAsleep', 'endpoint-not-ready', 60],
    ['Throttled', 'endpoint-not-ready', 2],
    ['ServiceUnavailable', 'endpoint-not-ready', 2],
    ['InternalError', 'endpoint-not-ready', 2],
    ['InternalDependencyException', 'endpoint-not-ready', 2],
    ['NetworkingError', 'endpoint-not-ready', 2],
    ['ValidationError', 'invalid-request'],
    ['ValidationException', 'invalid-request'],
  ])('%s is %s', async (name, kind, retryAfterSeconds?: number) => {
    const problem = { name: 'RequestProblem', kind, retryAfterSeconds };
    await expect(ask(throws(name))).rejects.toMatchObject(problem);
  });

  const creating = { ...SERVED, status: 'creating' as const, live: null };
  it.each([
    ['ModelNotReady', SERVED, 1],
    ['EndpointAsleep', SERVED, 1],
    ['Throttled', SERVED, 1],
    ['never asked', creating, 1],
    ['ServiceUnavailable', SERVED, 0],
    ['TimeoutError', SERVED, 0],
    ['VariantUnknown', SERVED, 0],
    ['EndpointMissing', undefined, 0],
  ])('of $0, planned waits: $2', async (name, served, planned) => {
    const measured: Measurement[] = [];
    const services = {
      ...SERVICES,
      served: async () => served,
      runtime: { invoke: throws(name) },
      measure: (one: Measurement) => void measured.push(one),
    };
    const request = { ...EVENT, ...parts({ a: '1', b: '2' }) };
    await expect(predict(request, services)).rejects.toThrow();
    const waits = measured.filter(({ groups }) => groups.some(({ values }) => 'PlannedWaits' in values));
    expect(waits).toEqual(Array.from({ length: planned }, () => measurePlannedWait(EVENT)));
  });

  it('of several inputs the one that failed is named', async () => {
    const refuse = async (_: string, { body }: { readonly body: Uint8Array }) => {
      if (Buffer.from(body).toString() === '2') throw new ContainerError(415, 'no such type');
      return answer([0.2, 0.8]);
    };
    await expect(ask(refuse, { request: parts({ 'a.png': '1', 'b.png': '2' }) })).rejects.toMatchObject({
      message: 'input "b.png": the container answered 415: no such type',
    });
  });

  it('a thing thrown that is no error is passed on as it is', () => {
    expect(toInvocationProblem('because', 'clothes', '')).toBe('because');
  });

  it('the message of the container is passed on', async () => {
    const refuse = async (): Promise<never> => {
      throw new ContainerError(415, 'no such type');
    };
    await expect(ask(refuse)).rejects.toMatchObject({
      kind: 'model-error',
      message: 'the container answered 415: no such type',
    });
  });

  it('an answer that is more than a function returns is too large', async () => {
    const refuse = async (): Promise<never> => {
      throw new ContainerError(413, 'the answer has 5000000 bytes');
    };
    await expect(ask(refuse)).rejects.toMatchObject({ kind: 'body-too-large' });
  });

  it('an endpoint that is being created: ask again', async () => {
    const served = [{ ...SERVED, status: 'creating' as const, live: null }];
    await expect(ask(throws('x'), { served })).rejects.toMatchObject({
      kind: 'endpoint-not-ready',
      retryAfterSeconds: 30,
    });
  });

  it.each([[[undefined]], [[{ ...SERVED, status: 'deleting' as const }]]])(
    'none: how to deploy one',
    async (served) => {
      await expect(ask(throws('x'), { served })).rejects.toMatchObject({
        kind: 'no-endpoint',
        message: expect.stringContaining('inferdrop endpoints deploy clothes'),
      });
    },
  );

  it.each(['..', 'UPPER', 'a/b', '', '%2e%2e', 'a\0', 'a\r\nb', '\uff41', '\u202ea', 'a'.repeat(65)])(
    'the pipeline %j, of which no object is read',
    async (pipeline) => {
      const read: string[] = [];
      const asked = predict(
        { ...EVENT, pathParameters: { pipeline } },
        { ...SERVICES, served: async (name) => void read.push(name) },
      );
      await expect(asked).rejects.toMatchObject({ kind: 'unknown-pipeline' });
      expect(read).toEqual([]);
    },
  );

  it('an answer that is not a classification', async () => {
    const talk = async () => ({ ...answer([]), body: Buffer.from('<html>') });
    await expect(ask(talk)).rejects.toMatchObject({ kind: 'unreadable-answer' });
  });

  it('scores of another number of classes', async () => {
    await expect(ask(async () => answer([0.2, 0.3, 0.5]))).rejects.toMatchObject({
      kind: 'unreadable-answer',
    });
  });

  it('an unexpected error is passed on unchanged', async () => {
    await expect(ask(throws('AccessDenied'))).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

it('facts are read again after ten seconds only, and then only if they changed', async () => {
  const reads: (string | undefined)[] = [];
  let now = 1_000_000;
  const facts = servedFacts(
    {
      read: async (_key, etag) => {
        reads.push(etag);
        return etag === undefined ? { text: JSON.stringify(SERVED), etag: '"1"' } : 'unchanged';
      },
    },
    () => now,
  );
  expect(await facts('clothes')).toEqual(SERVED);
  now += 9_999;
  await facts('clothes');
  expect(reads).toEqual([undefined]);
  now += 1;
  expect(await facts('clothes')).toEqual(SERVED);
  await facts('clothes', true);
  expect(reads).toEqual([undefined, '"1"', '"1"']);
});

describe('facts that are remembered', () => {
  const objects = (documents: Map<string, { text: string; etag: string }>) => {
    const read: string[] = [];
    const facts = servedFacts(
      {
        read: async (key, etag) => {
          read.push(key);
          const found = documents.get(key);
          return etag !== undefined && found?.etag === etag ? 'unchanged' : found;
        },
      },
      () => 0,
    );
    return { facts, read };
  };
  const KEY = 'endpoints/clothes/served.json';
  const of = (endpointName: string, etag: string) => ({
    text: JSON.stringify({ ...SERVED, endpointName }),
    etag,
  });

  it('are the new ones once the document was replaced, and none once it is gone', async () => {
    const documents = new Map([[KEY, of('old', '1')]]);
    const { facts } = objects(documents);
    await facts('clothes');
    documents.set(KEY, of('new', '2'));
    expect(await facts('clothes', true)).toMatchObject({ endpointName: 'new' });
    expect(await facts('clothes')).toMatchObject({ endpointName: 'new' });
    documents.delete(KEY);
    expect(await facts('clothes', true)).toBeUndefined();
    expect(await facts('clothes')).toBeUndefined();
  });

  it('are those of the last hundred pipelines, so that a caller cannot fill the memory', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `p${at}`);
    const { facts, read } = objects(
      new Map(names.map((name) => [`endpoints/${name}/served.json`, of(name, name)])),
    );
    for (const name of names) await facts(name);
    read.length = 0;
    for (const name of names.slice(1)) expect(await facts(name)).toMatchObject({ endpointName: name });
    expect(read).toEqual([]);
    await facts('p0');
    expect(read).toEqual(['endpoints/p0/served.json']);
  });
});

describe('where a function serves', () => {
  const inFunction = { sha256: '00', imageUri: 'image', environment: {} };
  const served = { ...SERVED, variants: { v1: { ...variant(['shoe', 'bag']), inFunction } } };
  const askFunction = (answer: typeof SERVICES.functions.answer) =>
    predict(EVENT, { ...SERVICES, served: async () => served, functions: { answer } });

  it('it is sent the model of the variant that serves, and SageMaker is not asked', async () => {
    const seen: unknown[] = [];
    const { statusCode, body } = await askFunction(async (pipeline, model, { contentType }) => {
      seen.push(pipeline, model, contentType);
      return answer([0.1, 0.9]).body;
    });
    expect([statusCode, JSON.parse(body).predictions[0].label]).toEqual([200, 'bag']);
    expect(JSON.parse(body).variant).toBe('v1');
    expect(seen).toEqual(['clothes', inFunction, served.variants.v1.contentType]);
  });

  it('several inputs are asked about one after another, so that the prediction takes two functions', async () => {
    const running: number[] = [];
    let now = 0;
    const { body } = await predict(
      { ...EVENT, ...parts({ a: '1', b: '2', c: '3' }) },
      {
        ...SERVICES,
        served: async () => served,
        functions: {
          answer: async () => {
            running.push(++now);
            await new Promise(setImmediate);
            now -= 1;
            return answer([0.1, 0.9]).body;
          },
        },
      },
    );
    expect(running).toEqual([1, 1, 1]);
    expect(JSON.parse(body).predictions.map(({ input }: any) => input)).toEqual(['a', 'b', 'c']);
  });

  it('a model that is still being loaded is a reason to ask again', async () => {
    const error = Object.assign(new Error('loading'), { name: 'ModelNotReady' });
    await expect(askFunction(() => Promise.reject(error))).rejects.toMatchObject({
      kind: 'endpoint-not-ready',
      retryAfterSeconds: 2,
    });
  });

  it('one that is open and does not answer in time is late, and no retry is promised', async () => {
    const error = Object.assign(new Error('late'), { name: 'InvocationAborted' });
    await expect(askFunction(() => Promise.reject(error))).rejects.toMatchObject({
      kind: 'answer-timeout',
      retryAfterSeconds: undefined,
    });
  });
});
