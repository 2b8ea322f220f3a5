import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendJson, sendReport, toProblem } from '../../../../src/cli/console/answer.ts';
import type { Route } from '../../../../src/cli/console/route.ts';
import { type Console, serveConsole } from '../../../../src/cli/console/server.ts';

/** What reached the routes. */
let reached: string[];
const note = (what: string, answer: Route['answer']): Route['answer'] => {
  return (asked) => {
    reached.push(what);
    return answer(asked);
  };
};
const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/api/runs/:run',
    answer: note('read', async ({ parts, response }) => sendJson(response, parts)),
  },
  {
    method: 'POST',
    pattern: '/api/runs/:run/cancel',
    answer: note('cancel', async ({ response }) => sendJson(response, {}, 202)),
  },
  {
    method: 'GET',
    pattern: '/report/:run',
    answer: note('report', async ({ query, response }) =>
      sendReport(
        response,
        '<html><head><meta http-equiv="content-security-policy" content="script-src \'none\'"></head></html>',
        query.get('framed') === '1',
      ),
    ),
  },
];

let pages: Console;
let host: string;
let token: string;
let authorization: string;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends exactly these headers: `fetch` would not let a test choose Host and Origin. */
function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(pages.origin);
    const asked = request({ hostname, port, method, path, headers: { host, ...headers } }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += String(chunk)));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

beforeAll(async () => {
  pages = await serveConsole(ROUTES, 0);
  host = new URL(pages.origin).host;
  token = pages.address.slice(`${pages.origin}/#token=`.length);
  authorization = `Bearer ${token}`;
});
afterAll(() => pages.close());
beforeEach(() => {
  reached = [];
});

test('the printed address keeps its token from every server, and nothing is ever told to send it by itself', async () => {
  expect(pages.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}$/);
  for (const path of ['/', '/console.js', '/api/runs/a'])
    expect((await send('GET', path, { authorization })).headers).not.toHaveProperty('set-cookie');
});

test('the pages of the console read and act', async () => {
  const own = { authorization, origin: pages.origin, 'sec-fetch-site': 'same-origin' };
  expect(await send('GET', '/api/runs/cats%2Fmonday%2F000001', { authorization })).toMatchObject({
    status: 200,
    body: '{"run":"cats/monday/000001"}',
  });
  expect((await send('POST', '/api/runs/cats%2Fmonday%2F000001/cancel', own)).status).toBe(202);
  for (const file of ['/', '/style.css', '/console.js'])
    expect((await send('GET', file, { authorization })).status).toBe(200);
  expect(reached).toEqual(['read', 'cancel']);
});

test.each([
  ['nothing', () => ({})],
  ['another token', () => ({ authorization: `Bearer ${'x'.repeat(32)}` })],
  ['a part of the token', () => ({ authorization: `Bearer ${token.slice(1)}` })],
  ['the token as a cookie', () => ({ cookie: `token=${token}; inferdrop-console=${token}` })],
])('%s: nothing is read or begun', async (_, headers) => {
  for (const path of ['/api/runs/a', '/report/a', `/report/a?token=${token}`, '/api/ticket?of=/report/a'])
    expect(await send('GET', path, headers())).toMatchObject({
      status: 403,
      body: expect.stringContaining('#token='),
    });
  const act = await send('POST', '/api/runs/a/cancel', { ...headers(), origin: pages.origin });
  expect(act.status).toBe(403);
  expect(reached).toEqual([]);
});

test('the files of the pages are given to everybody and hold no secret', async () => {
  for (const file of ['/', '/style.css', '/console.js']) {
    const { status, body } = await send('GET', file);
    expect(status).toBe(200);
    expect(body).not.toContain(token);
  }
});

test('a ticket opens the document that it is for, with its query, and nothing else', async () => {
  const of = encodeURIComponent('/report/cats%2Fmonday%2F000001?framed=1&key=a b');
  const { address } = JSON.parse((await send('GET', `/api/ticket?of=${of}`, { authorization })).body);
  expect(address).not.toContain(token);
  expect((await send('GET', address)).status).toBe(200);
  const ticket = new URL(address, pages.origin).searchParams.get('ticket');
  for (const other of [
    '/report/cats%2Fmonday%2F000001',
    '/report/a?framed=1&key=a+b',
    '/api/runs/a',
    '/api/ticket?of=/api/runs/a',
  ])
    expect((await send('GET', `${other}${other.includes('?') ? '&' : '?'}ticket=${ticket}`)).status).toBe(
      403,
    );
  expect((await send('POST', address, { origin: pages.origin })).status).toBe(403);
  expect((await send('GET', address, { origin: 'http://127.0.0.1:1' })).status).toBe(403);
  expect((await send('GET', address, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
  expect(reached).toEqual(['report']);
});

test.each(['evil.example', 'evil.example:PORT', '127.0.0.1', '127.0.0.1.evil.example:PORT', 'localhost:1'])(
  'a name that was made to point here, Host %j, is refused with the token',
  async (name) => {
    const { port } = new URL(pages.origin);
    const foreign = { host: name.replace('PORT', port), authorization };
    for (const path of ['/', '/api/runs/a', '/console.js'])
      expect((await send('GET', path, foreign)).status).toBe(403);
    expect(reached).toEqual([]);
  },
);

test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
  'a page of the origin %s can neither read nor act, even with the token',
  async (origin) => {
    for (const [method, path] of [
      ['GET', '/api/runs/a'],
      ['POST', '/api/runs/a/cancel'],
      ['GET', '/'],
    ] as const)
      expect((await send(method, path, { authorization, origin })).status).toBe(403);
    expect(reached).toEqual([]);
  },
);

test('what acts must name its origin; what another site embeds is refused by Sec-Fetch-Site', async () => {
  expect((await send('POST', '/api/runs/a/cancel', { authorization })).status).toBe(403);
  for (const site of ['cross-site', 'same-site'])
    for (const path of ['/api/runs/a', '/report/a', '/console.js'])
      expect((await send('GET', path, { authorization, 'sec-fetch-site': site })).status).toBe(403);
  expect(reached).toEqual([]);
});

test('a link of another page may open the first page, which holds no data', async () => {
  const visit = { 'sec-fetch-site': 'cross-site' };
  expect((await send('GET', '/', visit)).status).toBe(200);
  expect((await send('GET', '/api/runs/a', { ...visit, authorization })).status).toBe(403);
});

test.each([
  '/../package.json',
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//etc/passwd',
  '/web/console/main.ts',
  '/main.ts',
  '/api/runs/%E0%A4%A',
  '/style.css/',
])('%s is no file of the pages', async (path) => {
  const { status, body } = await send('GET', path, { authorization });
  expect([status, JSON.parse(body).kind]).toEqual([404, 'unknown-route']);
  expect(reached).toEqual([]);
});

test('no page may run a script of its own text, be framed, or load anything from elsewhere', async () => {
  const { headers } = await send('GET', '/', { authorization });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
});

test('a report is in an origin of its own, which the console alone may frame', async () => {
  const { headers } = await send('GET', '/report/a', { authorization });
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^sandbox allow-scripts /);
  expect(policy).not.toContain('allow-same-origin');
  expect(policy).toContain("frame-ancestors 'self'");
});

test('a framed report tells its height by a script before its own policy; one by itself is as it was stored', async () => {
  const { body } = await send('GET', '/report/a?framed=1', { authorization });
  expect(body).toMatch(/^<html><head><script>[^<]*postMessage[^<]*<\/script><meta /);
  expect((await send('GET', '/report/a', { authorization })).body).not.toContain('<script>');
});

test('an answer that fails says why, in words', async () => {
  const { status, body } = await send('GET', '/api/nothing', { authorization });
  expect([status, JSON.parse(body)]).toEqual([
    404,
    { kind: 'unknown-route', detail: 'GET /api/nothing is no address of the console' },
  ]);
});

test('credentials that have expired are named, with what to do', () => {
  const error = Object.assign(new Error('The provided token has expired.'), { name: 'ExpiredToken' });
  expect(toProblem(error)).toMatchObject({
    kind: 'credentials',
    detail: expect.stringContaining('aws sso login'),
  });
});

test('the script of the pages is small, and page and style bring no other file', async () => {
  const files = await Promise.all(
    ['/', '/style.css', '/console.js'].map((file) => send('GET', file, { authorization })),
  );
  const [page, style, script] = files.map(({ body }) => body);
  expect(gzipSync(script!).length).toBeLessThan(150_000);
  expect(page!.match(/(?<=(?:src|href)=")[^"]+/g)).toEqual(['data:,', '/style.css', '/console.js']);
  expect(style).not.toMatch(/url\(|@import/);
});
