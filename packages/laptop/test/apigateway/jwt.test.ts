import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts';
import { type LocalApi, localApi } from './local-api.ts';

const UNAUTHORIZED = { status: 401, text: '{"message":"Unauthorized"}' };

let issuer: TokenIssuer;
let Issuer: string;
let api: LocalApi;

beforeAll(async () => {
  // A gateway's clock stands still, and refuses what was issued after it.
  issuer = await startTokenIssuer(() => api.clock.now());
  Issuer = issuer.url;
});
afterAll(() => issuer.close());
afterEach(() => api.close());

const start = async (AuthorizationScopes: string[] = [], changes: { Issuer?: string } = {}) => {
  api = await localApi({
    routes: {
      'GET /a': {
        jwt: { Issuer, Audience: ['app'], ...changes },
        ...(AuthorizationScopes.length > 0 && { AuthorizationScopes }),
      },
    },
  });
};

const call = (authorization?: string) =>
  api.call({ path: '/a', headers: authorization === undefined ? {} : { authorization } });

test('a token of the issuer comes in, and the function gets its claims as text', async () => {
  await start();
  expect((await call(`Bearer ${await issuer.token({ groups: ['a', 'b'] })}`)).status).toBe(200);
  expect(api.events[0].requestContext.authorizer).toMatchObject({
    jwt: { claims: { iss: Issuer, aud: 'app', sub: 'me', groups: '[a b]' }, scopes: null },
  });
});

test('a token whose own words no header can carry is 401, too', async () => {
  await start();
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const answer = await call(`Bearer ${part({ alg: 'RS256', crit: ['€\r\n'] })}.${part({})}.AA`);
  expect(answer).toMatchObject(UNAUTHORIZED);
  expect(answer.headers['www-authenticate']).toMatch(/^[ -~]+$/);
});

test('without a token the answer is 401 and asks for one', async () => {
  await start();
  expect(await call()).toMatchObject({ ...UNAUTHORIZED, headers: { 'www-authenticate': 'Bearer' } });
});

test.each([
  ['an expired token', { exp: 1 }, 'the token has expired'],
  ['another audience', { aud: 'other' }, 'does not have a valid audience'],
  ['no audience', { aud: undefined }, 'does not have a valid audience'],
  ['another issuer', { iss: 'https://other.example' }, 'invalid token'],
  ['a token that is not yet valid', { nbf: 4_000_000_000 }, 'invalid token'],
  ['no expiry', { exp: undefined }, 'invalid token'],
])('%s is 401', async (_, claims, words) => {
  await start();
  const answer = await call(`Bearer ${await issuer.token(claims)}`);
  expect(answer).toMatchObject(UNAUTHORIZED);
  expect(answer.headers['www-authenticate']).toContain(words);
});

test('a client id stands for the audience, as in tokens of Cognito', async () => {
  await start();
  expect((await call(`Bearer ${await issuer.token({ aud: undefined, client_id: 'app' })}`)).status).toBe(200);
});

test('a token signed with another key is 401', async () => {
  await start();
  const { privateKey: key } = await generateKeyPair('RS256');
  expect(await call(`Bearer ${await issuer.token({}, { key })}`)).toMatchObject(UNAUTHORIZED);
});

test("a token signed with a key that is not among the issuer's is 401", async () => {
  await start();
  expect(await call(`Bearer ${await issuer.token({}, { kid: 'two' })}`)).toMatchObject(UNAUTHORIZED);
});

test('a token without signature is 401', async () => {
  await start();
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forged = `${part({ alg: 'none' })}.${part({ iss: Issuer, aud: 'app', exp: 4_000_000_000 })}.`;
  expect(await call(`Bearer ${forged}`)).toMatchObject(UNAUTHORIZED);
});

test('a token signed with the public key as a shared secret is 401', async () => {
  await start();
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(issuer.publicKey)));
  const now = Math.floor(api.clock.now() / 1000);
  const forged = await new SignJWT({ iss: Issuer, aud: 'app', exp: now + 60 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(secret);
  expect(await call(`Bearer ${forged}`)).toMatchObject(UNAUTHORIZED);
});

test('one of the scopes of the route is enough', async () => {
  await start(['read', 'write']);
  expect((await call(`Bearer ${await issuer.token({ scope: 'other write' })}`)).status).toBe(200);
  expect(api.events[0].requestContext.authorizer.jwt.scopes).toEqual(['other', 'write']);
});

test('none of the scopes of the route is 403', async () => {
  await start(['read']);
  expect(await call(`Bearer ${await issuer.token({ scope: 'other' })}`)).toMatchObject({
    status: 403,
    text: '{"message":"Forbidden"}',
    headers: { 'www-authenticate': expect.stringContaining('insufficient_scope') },
  });
});

test('an issuer that cannot be reached is 401', async () => {
  await start([], { Issuer: `${Issuer}/absent` });
  const answer = await call(`Bearer ${await issuer.token()}`);
  expect(answer).toMatchObject(UNAUTHORIZED);
  expect(answer.headers['www-authenticate']).toContain('OIDC discovery endpoint communication error');
});

test.each([
  ['configuration', '/.well-known/openid-configuration', 'OIDC discovery endpoint communication error'],
  ['keys', '/keys', 'signing key communication error'],
])('an issuer that keeps silent about its %s is 401, by the clock', async (_, silence, words) => {
  const silent = createServer((request, response) => {
    if (request.url !== silence) response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await start([], { Issuer: url });
  const asked = call(`Bearer ${await issuer.token({ iss: url })}`);
  let over = false;
  void asked.then(() => (over = true));
  while (!over) await api.clock.advance(10);
  const answer = await asked;
  expect(answer).toMatchObject(UNAUTHORIZED);
  expect(answer.headers['www-authenticate']).toContain(words);
  silent.closeAllConnections();
  silent.close();
});
