import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LocalApi, localApi, send } from './local-api.ts';

const FORBIDDEN = { status: 403, text: '{"message":"Forbidden"}' };
const FORMAT = '$context.status $context.authorizer.error $context.identity.userArn';

/** Keys that roles have signed with; the other key of these tests is the owner's. */
let role: { readonly mayInvoke: boolean } | undefined;
const asked: unknown[] = [];

let api: LocalApi;
beforeEach(() => {
  role = undefined;
  asked.length = 0;
});
beforeEach(async () => {
  api = await localApi({
    credentials: { AKIATEST: 'test' },
    callers: {
      refusal(_key, permissions) {
        asked.push(permissions);
        return role === undefined
          ? undefined
          : role.mayInvoke
            ? null
            : 'role/train may not: execute-api:Invoke';
      },
      sessionOf: () => role && { roleArn: 'arn:aws:iam::000000000000:role/train', name: 'job' },
    },
    routes: { 'POST /predict/{pipeline}': { AuthorizationType: 'AWS_IAM' } },
    stage: {
      AccessLogSettings: {
        DestinationArn: 'arn:aws:logs:us-east-1:000000000000:log-group:access',
        Format: FORMAT,
      },
    },
  });
});
afterEach(() => api.close());

/** Signs with the SDK's signer, sends with `changes` made after that. */
async function signed(
  options: {
    readonly secretAccessKey?: string;
    readonly sessionToken?: string;
    readonly service?: string;
    readonly region?: string;
    readonly date?: Date;
    readonly path?: string;
  } = {},
  changes: { readonly path?: string; readonly body?: string; readonly method?: string } = {},
) {
  const { path = '/predict/a%20b?x=1', service = 'execute-api', region = 'us-east-1' } = options;
  const signer = new SignatureV4({
    service,
    region,
    credentials: {
      accessKeyId: 'AKIATEST',
      secretAccessKey: options.secretAccessKey ?? 'test',
      ...(options.sessionToken === undefined ? {} : { sessionToken: options.sessionToken }),
    },
    sha256: Sha256,
  });
  const url = new URL(api.url + path);
  const request = await signer.sign(
    {
      method: 'POST',
      protocol: 'http:',
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { host: url.host, 'content-type': 'application/json' },
      body: '{}',
    },
    { signingDate: options.date ?? new Date(api.clock.now()) },
  );
  return send(api.url, {
    method: changes.method ?? 'POST',
    path: changes.path ?? path,
    headers: request.headers,
    body: changes.body ?? '{}',
  });
}

test('a signed request comes in, and the function hears who it is', async () => {
  expect((await signed()).status).toBe(200);
  expect(api.events[0].requestContext.authorizer).toEqual({
    iam: {
      accessKey: 'AKIATEST',
      accountId: '000000000000',
      callerId: '000000000000',
      cognitoIdentity: null,
      principalOrgId: null,
      userArn: 'arn:aws:iam::000000000000:root',
      userId: '000000000000',
    },
  });
});

test('a role comes in under its own name where its policies let it invoke the request', async () => {
  role = { mayInvoke: true };
  const answer = await signed();
  expect(answer.status).toBe(200);
  expect(api.events[0].requestContext.authorizer.iam).toMatchObject({
    userArn: 'arn:aws:sts::000000000000:assumed-role/train/job',
    userId: expect.stringMatching(/^AROA.*:job$/),
    accountId: '000000000000',
  });
  expect(asked).toEqual([
    [
      {
        action: 'execute-api:Invoke',
        resource: expect.stringMatching(
          /^arn:aws:execute-api:us-east-1:000000000000:[a-z0-9]+\/\$default\/POST\/predict\/a%20b$/,
        ),
      },
    ],
  ]);
});

test('a role that may not invoke the request is forbidden', async () => {
  role = { mayInvoke: false };
  expect(await signed()).toMatchObject(FORBIDDEN);
  expect(api.logLines).toEqual(['access: 403 role/train may not: execute-api:Invoke -']);
  expect(api.events).toEqual([]);
});

test('temporary credentials with a session token come in', async () => {
  expect((await signed({ sessionToken: 'token' })).status).toBe(200);
});

test('a request without a signature is forbidden, and the access log says why', async () => {
  expect(await api.call({ method: 'POST', path: '/predict/a', body: '{}' })).toMatchObject(FORBIDDEN);
  expect(api.logLines).toEqual(['access: 403 Missing Authentication Token -']);
});

test.each([
  ['a wrong secret', { secretAccessKey: 'wrong' }, {}, 'signature'],
  ['another service', { service: 'sagemaker' }, {}, "correct service: 'execute-api'"],
  ['another region', { region: 'eu-west-1' }, {}, 'scoped to region'],
  ['a changed body', {}, { body: '[]' }, 'SHA-256'],
  ['a changed path', {}, { path: '/predict/other?x=1' }, 'signature'],
  ['a changed query', {}, { path: '/predict/a%20b?x=2' }, 'signature'],
])('%s is forbidden', async (_, options, changes, reason) => {
  expect(await signed(options, changes)).toMatchObject(FORBIDDEN);
  expect(api.logLines[0]).toContain(reason);
  expect(api.events).toEqual([]);
});

test('a signature counts for five minutes, and replayed after that it is forbidden', async () => {
  // Signatures have whole seconds.
  const seconds = Math.floor(api.clock.now() / 1000);
  const at = (second: number) => signed({ date: new Date(second * 1000) });
  expect((await at(seconds - 299)).status).toBe(200);
  expect(await at(seconds - 301)).toMatchObject(FORBIDDEN);
  expect(await at(seconds + 302)).toMatchObject(FORBIDDEN);
  expect(api.events).toHaveLength(1);
});

test('a token where a signature is wanted is forbidden', async () => {
  const answer = await api.call({
    method: 'POST',
    path: '/predict/a',
    headers: { authorization: 'Bearer abc' },
  });
  expect(answer).toMatchObject(FORBIDDEN);
});

test.skipIf(!existsSync('/usr/bin/curl'))('curl signs with --aws-sigv4', async () => {
  const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);
  const child = promisify(execFile)('/usr/bin/curl', [
    ...[
      '--silent',
      '--show-error',
      '--aws-sigv4',
      'aws:amz:us-east-1:execute-api',
      '--user',
      'AKIATEST:test',
    ],
    ...['--header', 'content-type: image/png', '--data-binary', '@-', `${api.url}/predict/fashion-mnist`],
  ]);
  child.child.stdin!.end(image);
  const { event } = JSON.parse((await child).stdout);
  expect(event).toMatchObject({
    body: image.toString('base64'),
    pathParameters: { pipeline: 'fashion-mnist' },
    requestContext: { authorizer: { iam: { accessKey: 'AKIATEST' } } },
  });
});
