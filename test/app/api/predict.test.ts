import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/app/api/predict.ts';
import { servedFacts } from '../../../src/app/api/served-facts.ts';
import { ContainerError, type Runtime } from '../../../src/aws/runtime.ts';
import type { Served } from '../../../src/endpoint/served.ts';

const variant = (classes: string[]) => ({
  run: 'clothes/monday/000001',
  configName: 'config',
  modelName: 'model',
  modelSha256: 'a'.repeat(64),
  hardware: '1 × ml.m5.xlarge',
  contentType: 'application/x-image',
  accept: 'application/json',
  classes,
  classOffset: 0,
  scores: 'as-answered' as const,
  threshold: null,
  single: 'class' as const,
  topK: 2,
});
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

/** Asks about one image. */
async function ask(
  invoke: Runtime['invoke'],
  { served = [SERVED], request = {} }: { served?: (Served | undefined)[]; request?: object } = {},
) {
  const left = [...served];
  return predict(
    { ...EVENT, ...request },
    {
      pipelinesClaim: '',
      served: async () => (left.length > 1 ? left.shift() : left[0]),
      runtime: { invoke },
      deadline: () => new AbortController().signal,
      nowMs: () => 0,
    },
  );
}
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

it('reads the facts again where a variant answers that they do not know', async () => {
  const updated = { ...SERVED, variants: { ...SERVED.variants, v2: variant(['boot', 'sack']) } };
  const response = await ask(async () => answer([0.2, 0.8], 'v2'), { served: [SERVED, updated] });
  expect(JSON.parse(response.body).predictions[0].label).toBe('sack');
});

describe('what goes wrong has a kind and a status of its own:', () => {
  it.each([
    ['EndpointMissing', 'no-endpoint'],
    ['InvocationAborted', 'answer-timeout'],
    ['ModelNotReady', 'endpoint-not-ready'],
    ['Throttled', 'endpoint-not-ready'],
    ['ServiceUnavailable', 'endpoint-not-ready'],
    ['ValidationError', 'invalid-request'],
  ])('%s is %s', async (name, kind) => {
    await expect(ask(throws(name))).rejects.toMatchObject({ name: 'RequestProblem', kind });
  });

  it('the message of the container is passed on', async () => {
    const refuse = async (): Promise<never> => {
      throw new ContainerError(415, 'no such type', {});
    };
    await expect(ask(refuse)).rejects.toMatchObject({
      kind: 'model-error',
      message: 'the container answered 415: no such type',
    });
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
        {
          pipelinesClaim: '',
          served: async (name) => void read.push(name),
          runtime: { invoke: throws('x') },
          deadline: () => new AbortController().signal,
          nowMs: () => 0,
        },
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
  let now = 0;
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
  now = 9_999;
  await facts('clothes');
  expect(reads).toEqual([undefined]);
  now = 10_000;
  expect(await facts('clothes')).toEqual(SERVED);
  await facts('clothes', true);
  expect(reads).toEqual([undefined, '"1"', '"1"']);
});
