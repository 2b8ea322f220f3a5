import { once } from 'node:events';
import { type OutgoingHttpHeaders, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { foreignRequest } from '@inferdrop/model-container/internal/foreign-request';
import { createSts } from '../../sts/service.ts';
import { localGateway } from '../support/local-gateway.ts';

let gateway: Awaited<ReturnType<typeof localGateway>>;
beforeAll(async () => {
  gateway = await localGateway((site) => [createSts({ site }).service]);
});
afterAll(() => gateway.close());

async function ask(headers: OutgoingHttpHeaders, method = 'GET'): Promise<[number, string]> {
  const request = send(gateway.endpoint, {
    method,
    headers: { host: `127.0.0.1:${gateway.port}`, ...headers },
  });
  request.end();
  const [response] = await once(request, 'response');
  return [response.statusCode, await text(response)];
}

test.each<[string, OutgoingHttpHeaders]>([
  ['a name that was made to point here', { host: 'evil.example:4820' }],
  ['a name that only ends as one of ours', { host: 'evillocalhost' }],
  ['a page of another site', { origin: 'http://evil.example' }],
  ['a page on another port', { origin: 'http://127.0.0.1:3000' }],
  ['a page in a sandbox', { origin: 'null' }],
  ['a navigation from another site', { 'sec-fetch-site': 'cross-site' }],
  ['a navigation from another port', { 'sec-fetch-site': 'same-site' }],
])('%s is refused before anything is read', async (_, headers) => {
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const [status, body] = await ask(headers, method);
    expect(status).toBe(403);
    expect(body).toContain('AccessDenied');
  }
});

test.each<[string, OutgoingHttpHeaders]>([
  ['a program', {}],
  ['a page of the stack itself', { 'sec-fetch-site': 'same-origin' }],
  ['an address that a person opened', { 'sec-fetch-site': 'none' }],
])('%s gets as far as before', async (_, headers) => {
  expect((await ask(headers))[1]).not.toContain('pages of its own');
});

test.each(['127.0.0.1:1', '[::1]:1', 'localhost:1', 'abc.execute-api.us-east-1.localhost:1'])(
  'the name %s may be asked',
  (host) => expect(foreignRequest({ host })).toBeUndefined(),
);

test('a page of the stack may ask it, and one that an API allows', () => {
  expect(foreignRequest({ host: 'localhost:1', origin: 'http://localhost:1' })).toBeUndefined();
  const allowed = { host: 'localhost:1', origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };
  expect(foreignRequest(allowed, (origin) => origin === 'https://app.example')).toBeUndefined();
  expect(foreignRequest(allowed)).toContain('https://app.example');
});
