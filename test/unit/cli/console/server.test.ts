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
let cookie: string;

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
  const { headers } = await send('GET', pages.address.slice(pages.origin.length));
  [cookie = ''] = String(headers['set-cookie']).split(';');
});
afterAll(() => pages.close());
beforeEach(() => {
  reached = [];
});

test('the printed address gives a cookie that no other site can send and no script can read, and leads away from the token', async () => {
  const { status, headers } = await send('GET', pages.address.slice(pages.origin.length));
  expect([status, headers.location]).toEqual([303, '/']);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^inferdrop-console-\d+=[\w-]{32}; Path=\/; HttpOnly; SameSite=Strict$/),
  ]);
  expect(String(headers['set-cookie'])).not.toContain(new URL(pages.address).searchParams.get('token'));
});

test('the pages of the console read and act', async () => {
  const own = { cookie, origin: pages.origin, 'sec-fetch-site': 'same-origin' };
  expect(await send('GET', '/api/runs/cats%2Fmonday%2F000001', { cookie })).toMatchObject({
    status: 200,
    body: '{"run":"cats/monday/000001"}',
  });
  expect((await send('POST', '/api/runs/cats%2Fmonday%2F000001/cancel', own)).status).toBe(202);
  for (const file of ['/', '/style.css', '/console.js'])
    expect((await send('GET', file, { cookie })).status).toBe(200);
  expect(reached).toEqual(['read', 'cancel']);
});

test.each([
  ['no cookie', {}],
  ['another cookie', { cookie: 'inferdrop-console-1=x' }],
  ['a cookie of the right name', { cookie: 'inferdrop-console-PORT=wrong' }],
  ['the cookie of a console at another port', { cookie: 'inferdrop-console-1=SESSION' }],
])('%s: nothing is read or begun, not even a file', async (_, given) => {
  const port = new URL(pages.origin).port;
  const session = cookie.slice(cookie.indexOf('=') + 1);
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value.replace('PORT', port).replace('SESSION', session),
    ]),
  );
  for (const path of ['/api/runs/a', '/report/a', '/style.css', '/console.js'])
    expect((await send('GET', path, headers)).status).toBe(403);
  expect((await send('POST', '/api/runs/a/cancel', { ...headers, origin: pages.origin })).status).toBe(403);
  const { status, body } = await send('GET', '/', headers);
  expect([status, body]).toEqual([401, expect.stringContaining('?token=')]);
  expect(reached).toEqual([]);
});

test('a wrong token lets nobody in', async () => {
  const { status, headers } = await send('GET', '/?token=wrong');
  expect([status, headers['set-cookie']]).toEqual([401, undefined]);
});

test.each(['evil.example', 'evil.example:PORT', '127.0.0.1', '127.0.0.1.evil.example:PORT', 'localhost:1'])(
  'a name that was made to point here, Host %j, is refused with cookie and token',
  async (name) => {
    const { port } = new URL(pages.origin);
    const foreign = { host: name.replace('PORT', port), cookie };
    const token = pages.address.slice(pages.origin.length);
    for (const path of ['/', token, '/api/runs/a', '/console.js'])
      expect((await send('GET', path, foreign)).status).toBe(403);
    expect(reached).toEqual([]);
  },
);

test.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
  'a page of the origin %s can neither read nor act, even with the cookie',
  async (origin) => {
    for (const [method, path] of [
      ['GET', '/api/runs/a'],
      ['POST', '/api/runs/a/cancel'],
      ['GET', '/'],
    ] as const)
      expect((await send(method, path, { cookie, origin })).status).toBe(403);
    expect(reached).toEqual([]);
  },
);

test('what acts must name its origin; what another site embeds is refused by Sec-Fetch-Site', async () => {
  expect((await send('POST', '/api/runs/a/cancel', { cookie })).status).toBe(403);
  for (const site of ['cross-site', 'same-site'])
    for (const path of ['/api/runs/a', '/report/a', '/console.js'])
      expect((await send('GET', path, { cookie, 'sec-fetch-site': site })).status).toBe(403);
  expect(reached).toEqual([]);
});

test('a link of another page may open the first page, which shows nothing without the cookie', async () => {
  const visit = { 'sec-fetch-site': 'cross-site' };
  expect((await send('GET', '/', visit)).status).toBe(401);
  expect((await send('GET', '/', { ...visit, cookie })).status).toBe(200);
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
  const { status, body } = await send('GET', path, { cookie });
  expect([status, JSON.parse(body).kind]).toEqual([404, 'unknown-route']);
  expect(reached).toEqual([]);
});

test('no page may run a script of its own text, be framed, or load anything from elsewhere', async () => {
  const { headers } = await send('GET', '/', { cookie });
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
});

test('a report is in an origin of its own, which the console alone may frame', async () => {
  const { headers } = await send('GET', '/report/a', { cookie });
  const policy = String(headers['content-security-policy']);
  expect(policy).toMatch(/^sandbox allow-scripts /);
  expect(policy).not.toContain('allow-same-origin');
  expect(policy).toContain("frame-ancestors 'self'");
});

test('a framed report tells its height by a script before its own policy; one by itself is as it was stored', async () => {
  const { body } = await send('GET', '/report/a?framed=1', { cookie });
  expect(body).toMatch(/^<html><head><script>[^<]*postMessage[^<]*<\/script><meta /);
  expect((await send('GET', '/report/a', { cookie })).body).not.toContain('<script>');
});

test('an answer that fails says why, in words', async () => {
  const { status, body } = await send('GET', '/api/nothing', { cookie });
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
    ['/', '/style.css', '/console.js'].map((file) => send('GET', file, { cookie })),
  );
  const [page, style, script] = files.map(({ body }) => body);
  expect(gzipSync(script!).length).toBeLessThan(150_000);
  expect(page!.match(/(?<=(?:src|href)=")[^"]+/g)).toEqual(['data:,', '/style.css', '/console.js']);
  expect(style).not.toMatch(/url\(|@import/);
});
