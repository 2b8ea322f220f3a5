import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTokenIssuer, type TokenIssuer } from '../../packages/laptop/test/support/token-issuer.ts';
import { askApi } from '../support/ask-api.ts';
import { type Laptop, startLaptop } from '../support/laptop.ts';

let laptop: Laptop;
let issuer: TokenIssuer;
let apiUrl: string;

/** Deploys the application again with other parameters. */
async function deploy(parameters: Record<string, string>): Promise<void> {
  const { stack } = laptop;
  const before = stack.find('inferdrop-dev');
  const { outputs } = await stack.deploy({
    stackName: before.stackName,
    template: before.template,
    parameters: { ...before.parameters, ...parameters },
  });
  apiUrl = outputs.find(({ key }) => key === 'ApiUrl')!.value;
}

beforeAll(async () => {
  [laptop, issuer] = await Promise.all([startLaptop(), startTokenIssuer()]);
  await deploy({ ApiJwtIssuer: issuer.url, ApiJwtAudience: 'app' });
});
afterAll(async () => {
  issuer.close();
  await laptop.close();
});

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Sends the path as it is: `fetch` would tidy it. */
interface Sent {
  readonly token?: string;
  readonly body?: Uint8Array;
  readonly type?: string;
}

/** Tests are quicker than a route's throttle, which lets a request through after 50 ms at most. */
async function send(method: string, place: string, sent: Sent = {}): Promise<Answer> {
  for (;;) {
    const answer = await sendOnce(method, place, sent);
    if (answer.status !== 429) return answer;
  }
}

function sendOnce(method: string, place: string, { token, body, type = 'image/png' }: Sent): Promise<Answer> {
  const { hostname, port, pathname } = new URL(apiUrl);
  const headers = { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      { hostname, port, method, path: (pathname === '/' ? '' : pathname) + place, headers },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

it('a page of an origin that is named may call it from a browser, and no other page', async () => {
  const preflight = async (origin: string) => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    };
    const answer = await fetch(`${apiUrl}/predict/clothes`, { method: 'OPTIONS', headers });
    return answer.headers.get('access-control-allow-origin');
  };
  const [ours, theirs] = ['https://app.example.com', 'https://other.example.com'];
  expect(await preflight(ours)).toBeNull();
  await deploy({ ApiJwtIssuer: issuer.url, ApiJwtAudience: 'app', ApiCorsOrigins: ours });
  expect([await preflight(ours), await preflight(theirs)]).toEqual([ours, null]);
});

describe('with an issuer of tokens', () => {
  const ROUTES = [
    ['POST', '/predict/clothes'],
    ['GET', '/pipelines'],
    ['GET', '/runs?pipeline=clothes'],
    ['GET', '/runs/clothes/monday/000001'],
    ['GET', '/openapi.json'],
  ] as const;

  it('its token opens every route, and the function answers', async () => {
    const token = await issuer.token();
    const answers = [];
    for (const [method, place] of ROUTES) {
      const { status, text } = await send(method, place, {
        token,
        ...(method === 'POST' && { body: Buffer.from('x') }),
      });
      answers.push([place, status, JSON.parse(text).type]);
    }
    expect(answers).toEqual([
      ['/predict/clothes', 404, 'urn:inferdrop:problem:no-endpoint'],
      ['/pipelines', 200, undefined],
      ['/runs?pipeline=clothes', 200, undefined],
      ['/runs/clothes/monday/000001', 404, 'urn:inferdrop:problem:unknown-run'],
      ['/openapi.json', 200, undefined],
    ]);
  });

  it('it starts neither a training nor a rescore, nor the rest of a sample', async () => {
    const PLACES = [
      '/pipelines/clothes/trainings',
      '/runs/clothes/monday/000001/rescores',
      '/runs/clothes/monday/000001/continuations',
    ];
    const token = await issuer.token();
    for (const place of PLACES)
      expect([place, (await send('POST', place, { token })).status]).toEqual([place, 403]);
  });

  it('the command line sends the one in INFERDROP_TOKEN', async () => {
    process.env['INFERDROP_TOKEN'] = await issuer.token();
    try {
      const response = await askApi({ method: 'GET', url: new URL(`${apiUrl}/pipelines`) });
      expect(response.status).toBe(200);
    } finally {
      delete process.env['INFERDROP_TOKEN'];
    }
  });

  it('a signature of AWS opens nothing', async () => {
    const response = await askApi({ method: 'GET', url: new URL(`${apiUrl}/pipelines`) });
    expect(response.status).toBe(401);
  });

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = () => ({ iss: issuer.url, aud: 'app', sub: 'me', exp: 4_000_000_000 });
  const signed = (header: object, secret: Buffer | string) => {
    const text = `${part(header)}.${part(claims())}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const signedWithOwnKey = async (header: (jwk: object) => object) => {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    return new SignJWT(claims())
      .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header(await exportJWK(publicKey)) })
      .sign(privateKey, { crit: { exp: true } });
  };
  it.each<[string, () => Promise<string> | string | undefined]>([
    ['no token', () => undefined],
    ['no token at all but text', () => 'let me in'],
    ['another audience', () => issuer.token({ aud: 'other' })],
    ['another issuer', () => issuer.token({ iss: 'https://other.example' })],
    ['an expired token', () => issuer.token({ exp: 1_700_000_000 })],
    ["a key that is not among the issuer's", () => issuer.token({}, { kid: 'two' })],
    [
      "another key under the name of the issuer's",
      async () => issuer.token({}, { key: (await generateKeyPair('RS256')).privateKey }),
    ],
    [
      'alg: none',
      () =>
        `${part({ alg: 'none', kid: 'one' })}.${part({ iss: issuer.url, aud: 'app', exp: 4_000_000_000 })}.`,
    ],
    [
      'HS256 with the public key as its secret',
      async () => signed({ alg: 'HS256', kid: 'one' }, Buffer.from(await exportSPKI(issuer.publicKey))),
    ],
    [
      'HS256 with the public key as it is published',
      async () =>
        signed({ alg: 'HS256', kid: 'one' }, Buffer.from(JSON.stringify(await exportJWK(issuer.publicKey)))),
    ],
    ['HS256 with an empty file for its key', () => signed({ alg: 'HS256', kid: '../../../../dev/null' }, '')],
    ['a key identifier that is a path', () => issuer.token({}, { kid: '../keys#one' })],
    ['a key of its own in its header', () => signedWithOwnKey((jwk) => ({ jwk }))],
    ['a place of keys in its header', () => signedWithOwnKey(() => ({ jku: 'https://other.example/keys' }))],
    [
      'a certificate in its header',
      () => signedWithOwnKey(() => ({ x5u: 'https://other.example/a.pem', x5c: ['AA=='] })),
    ],
    ['a critical extension', () => signedWithOwnKey(() => ({ crit: ['exp'], exp: 1 }))],
    ['no end', () => issuer.token({ exp: undefined, iat: undefined })],
    ['an end that is text', () => issuer.token({ exp: '4000000000' })],
    ['a time that has not come', () => issuer.token({ nbf: 4_000_000_000 })],
    ['several audiences, none of them ours', () => issuer.token({ aud: ['other', 'ap', 'app2'] })],
    ['an issuer that begins as ours does', () => issuer.token({ iss: `${issuer.url}.evil.example` })],
    ['four parts', async () => `${await issuer.token()}.x`],
    [
      'a payload that is not JSON',
      async () => (await issuer.token()).replace(/\.[^.]*\./, `.${Buffer.from('x').toString('base64url')}.`),
    ],
    [
      'a payload that was changed',
      async () =>
        (await issuer.token()).replace(
          /\.[^.]*\./,
          `.${part({ iss: issuer.url, aud: 'app', exp: 4_000_000_000 })}.`,
        ),
    ],
    ['a token without its signature', async () => (await issuer.token()).replace(/[^.]*$/, '')],
  ])('%s is 401 on every route, and no function is asked', async (_, make) => {
    const token = await make();
    for (const [method, place] of ROUTES) {
      const answer = await send(method, place, token === undefined ? {} : { token });
      expect([place, answer]).toEqual([place, { status: 401, text: '{"message":"Unauthorized"}' }]);
    }
  });
});

describe('tricks in the name of a pipeline reach no object:', () => {
  it.each([
    ['two dots', '..'],
    ['two encoded dots', '%2e%2e'],
    ['a way up', '..%2f..%2fruns%2fa'],
    ['an encoded slash', 'a%2Fserved.json'],
    ['NUL', '%00'],
    ['NUL at the end', 'clothes%00'],
    ['a header', 'clothes%0d%0ax-amz-meta:1'],
    ['a change of direction', '%E2%80%AE'],
    ['letters of full width', 'ｃlothes'],
    ['a space', 'clothes%20'],
    ['an upper-case letter', 'Clothes'],
    ['a hyphen in front', '-clothes'],
    ['65 letters', 'a'.repeat(65)],
    ['8,000 letters', 'a'.repeat(8_000)],
    ['what is no UTF-8', '%ff'],
    ['what is no percent-encoding', '%'],
  ])('%s', async (_, name) => {
    const token = await issuer.token();
    const { status, text } = await send('POST', `/predict/${encodeNonAscii(name)}`, {
      token,
      body: Buffer.from('x'),
    });
    expect([400, 404]).toContain(status);
    // Either the gateway itself, or the function before it has read anything.
    expect(JSON.parse(text)).toEqual(
      text.includes('urn:')
        ? expect.objectContaining({ type: 'urn:inferdrop:problem:unknown-pipeline' })
        : { message: expect.stringMatching(/^(Not Found|Bad Request)$/) },
    );
    const runs = await send('GET', `/runs/${encodeNonAscii(name)}/monday/000001`, { token });
    expect([400, 404]).toContain(runs.status);
    const list = await send('GET', `/runs?pipeline=${encodeNonAscii(name)}`, { token });
    expect([400]).toContain(list.status);
  });
});

/** What a browser does to letters outside ASCII; Node refuses them in a path. */
function encodeNonAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, encodeURIComponent);
}

describe('bodies that are too large are 413, with the limit', () => {
  it.each([
    [4_500_001, 'the body must have at most 4500000 bytes, has 4500001'],
    [5_000_000, 'Request Entity Too Large'],
    [10_485_761, 'Request Entity Too Large'],
  ])('%i bytes', async (sizeBytes, words) => {
    const token = await issuer.token();
    const answer = await send('POST', '/predict/clothes', { token, body: Buffer.alloc(sizeBytes) });
    expect(answer.status).toBe(413);
    expect(answer.text).toContain(words);
  });
});

describe('with a claim that lists pipelines', () => {
  beforeAll(() => deploy({ ApiPipelinesClaim: 'https://example.com/pipelines' }));
  afterAll(() => deploy({ ApiPipelinesClaim: '' }));
  const ASKED = [
    ['POST', '/predict/PIPELINE'],
    ['GET', '/runs?pipeline=PIPELINE'],
    ['GET', '/runs/PIPELINE/monday/000001'],
  ] as const;
  const statuses = async (claims: Record<string, unknown>, pipeline: string) => {
    const token = await issuer.token(claims);
    const found = [];
    for (const [method, place] of ASKED) {
      const body = method === 'POST' ? { body: Buffer.from('x') } : {};
      const { status, text } = await send(method, place.replace('PIPELINE', pipeline), { token, ...body });
      found.push(status);
      if (status === 403) expect(JSON.parse(text).type).toBe('urn:inferdrop:problem:pipeline-not-opened');
    }
    return found;
  };
  const listing = (value: unknown) => ({ 'https://example.com/pipelines': value });

  it.each<[string, Record<string, unknown>]>([
    ['a list', listing(['dogs', 'clothes'])],
    ['a text', listing('dogs clothes')],
    ['commas', listing('dogs, clothes')],
    ['all', listing('*')],
    ['a list of all', listing(['*'])],
  ])('%s opens what it names', async (_, claims) => {
    expect(await statuses(claims, 'clothes')).toEqual([404, 200, 404]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['no claim', {}],
    ['an empty one', listing('')],
    ['an empty list', listing([])],
    ['another name', listing(['dogs'])],
    ['a name that the asked one begins with', listing(['cloth', 'clothe', 'clothes2', 'clothes/'])],
    ['a pattern', listing(['cloth*', '.*', '**'])],
    ['another claim', { pipelines: ['clothes'], scope: 'clothes *' }],
    ['an object', listing({ clothes: true })],
    ['upper case', listing(['CLOTHES'])],
  ])('%s opens none of it', async (_, claims) => {
    expect(await statuses(claims, 'clothes')).toEqual([403, 403, 403]);
    expect(await statuses(claims, 'no-such-pipeline')).toEqual([403, 403, 403]);
  });

  it('pipelines of others are not listed, and the document is for all', async () => {
    await laptop.givePipeline('clothes');
    await laptop.givePipeline('cats');
    const pipelines = async (value: unknown) => {
      const { text } = await send('GET', '/pipelines', { token: await issuer.token(listing(value)) });
      return JSON.parse(text).pipelines.map(({ pipeline }: { pipeline: string }) => pipeline);
    };
    expect(await pipelines(['clothes'])).toEqual(['clothes']);
    expect(await pipelines('*')).toEqual(['cats', 'clothes']);
    expect(await pipelines([])).toEqual([]);
    expect((await send('GET', '/openapi.json', { token: await issuer.token() })).status).toBe(200);
  });
});

it('each route has a throttle of its own', async () => {
  await deploy({ PredictRateLimit: '1', PredictBurstLimit: '2' });
  const token = await issuer.token();
  const predict = () => sendOnce('POST', '/predict/clothes', { token, body: Buffer.from('x') });
  const answers = await Promise.all([predict(), predict(), predict(), predict(), predict(), predict()]);
  const throttled = answers.filter(({ status }) => status === 429);
  expect(throttled.length).toBeGreaterThan(0);
  for (const { text } of throttled) expect(text).toBe('{"message":"Too Many Requests"}');
  expect((await send('GET', '/pipelines', { token })).status).toBe(200);
});
