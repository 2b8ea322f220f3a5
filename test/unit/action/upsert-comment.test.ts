import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { upsertComment } from '../../../action/upsert-comment.ts';

const BOT = 'github-actions[bot]';
const MARK = '<!-- inferdrop:cats -->';
const NOW = 1_800_000_000_000;

interface Comment {
  id: number;
  body: string;
  user: { login: string };
}
/** An answer that stands for the next request of a method, in GitHub's documented forms. */
interface Failure {
  readonly method: string;
  readonly status: number;
  readonly message?: string;
  readonly headers?: Record<string, string>;
}

let server: Server | undefined;
afterEach(() => void server?.close());

/** GitHub's comments of pull request 7 of o/r: pages of two, so that every list has several. */
async function github(comments: Comment[], failures: Failure[] = [], link?: string) {
  const requests: string[] = [];
  let url = '';
  const answer = async (request: IncomingMessage): Promise<[number, unknown, Record<string, string>?]> => {
    const { pathname, searchParams } = new URL(request.url!, url);
    requests.push(`${request.method} ${pathname}`);
    expect(request.headers).toMatchObject({
      authorization: 'Bearer secret',
      'x-github-api-version': '2022-11-28',
    });
    const at = failures.findIndex(({ method }) => method === request.method);
    if (at >= 0) {
      const [{ status, message = 'no', headers = {} } = failures[0]!] = failures.splice(at, 1);
      return [status, { message, documentation_url: 'https://docs.github.com/rest' }, headers];
    }
    const chunks = await Array.fromAsync(request, (chunk) => String(chunk));
    const { body = '' } = chunks.length > 0 ? JSON.parse(chunks.join('')) : {};
    const id = Number(/\/issues\/comments\/(\d+)$/.exec(pathname)?.[1]);
    const found = comments.find((one) => one.id === id);
    if (request.method === 'GET') {
      const page = Number(searchParams.get('page') ?? 1);
      const next =
        link ?? `<${url}${pathname}?per_page=100&page=${page + 1}>; rel="next", <${url}/x>; rel="last"`;
      return [200, comments.slice(2 * page - 2, 2 * page), 2 * page < comments.length ? { link: next } : {}];
    }
    if (request.method === 'POST') {
      const made = { id: 100 + comments.length, body, user: { login: BOT } };
      comments.push(made);
      return [201, made];
    }
    if (found === undefined) return [404, { message: 'Not Found' }];
    if (request.method === 'DELETE') {
      comments.splice(comments.indexOf(found), 1);
      return [204, undefined];
    }
    found.body = body;
    return [200, found];
  };
  server = createServer((request, response) => {
    void answer(request).then(([status, value, headers]) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(value === undefined ? '' : JSON.stringify(value)),
    );
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const waits: number[] = [];
  const upsert = (body = 'text') =>
    upsertComment(
      { apiUrl: url, repository: 'o/r', pull: 7, token: 'secret', author: BOT },
      { marker: 'inferdrop:cats', body },
      { wait: async (ms) => void waits.push(ms), now: () => NOW },
    );
  return { upsert, requests, waits, comments };
}

const other = (id: number, body = 'hello', login = 'ann'): Comment => ({ id, body, user: { login } });

test('the first time a comment is made, and then it is changed', async () => {
  const { upsert, comments, requests } = await github([other(1)]);
  expect(await upsert('one')).toEqual({ outcome: 'created' });
  expect(await upsert('two')).toEqual({ outcome: 'updated' });
  expect(comments.map(({ body }) => body)).toEqual(['hello', `${MARK}\ntwo`]);
  expect(requests).toEqual([
    'GET /repos/o/r/issues/7/comments',
    'POST /repos/o/r/issues/7/comments',
    'GET /repos/o/r/issues/7/comments',
    'PATCH /repos/o/r/issues/comments/101',
  ]);
});

test('the comment is found on a later page, and a second one is removed', async () => {
  const mine = (id: number) => other(id, `${MARK}\nold`, BOT);
  const { upsert, comments } = await github([other(1), other(2), other(3), mine(4), mine(5)]);
  expect(await upsert()).toEqual({ outcome: 'updated' });
  expect(comments.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
  expect(comments[3]!.body).toBe(`${MARK}\ntext`);
});

test('comments of others, and of another pipeline, are left alone', async () => {
  const there = [
    other(1, `${MARK}\nmine?`, 'mallory'),
    other(2, `see ${MARK}`, BOT),
    other(3, '<!-- inferdrop:dogs -->\nx', BOT),
  ];
  const before = structuredClone(there);
  const { upsert, comments } = await github(there);
  expect(await upsert()).toEqual({ outcome: 'created' });
  expect(comments.slice(0, 3)).toEqual(before);
});

test.each([
  [{ method: 'POST', status: 403, message: 'Resource not accessible by integration' }],
  [{ method: 'GET', status: 401, message: 'Bad credentials' }],
  [{ method: 'GET', status: 404, message: 'Not Found' }],
])('%j is no error, but a reason', async (failure) => {
  const { upsert, waits } = await github([], [failure]);
  expect(await upsert()).toEqual({
    outcome: 'not-commented',
    reason: expect.stringMatching(
      new RegExp(`answered ${failure.status} to ${failure.method} .*: ${failure.message}`),
    ),
  });
  expect(waits).toEqual([]);
});

test.each<[string, Failure, number]>([
  [
    'a limit with its end',
    {
      method: 'GET',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1_000 + 9) },
    },
    10_000,
  ],
  ['a limit with a wait', { method: 'POST', status: 429, headers: { 'retry-after': '7' } }, 7_000],
  [
    'a secondary limit',
    { method: 'POST', status: 403, message: 'You have exceeded a secondary rate limit.' },
    60_000,
  ],
  ['a server that fails', { method: 'GET', status: 502 }, 2_000],
])('after %s it is tried again', async (_what, failure, wait) => {
  const { upsert, waits, comments } = await github([], [failure]);
  expect(await upsert()).toEqual({ outcome: 'created' });
  expect([waits, comments.length]).toEqual([[wait], 1]);
});

test('a limit that lasts is not waited for, and failures are not tried for ever', async () => {
  const limited = await github([], [{ method: 'GET', status: 429, headers: { 'retry-after': '3600' } }]);
  expect(await limited.upsert()).toMatchObject({ outcome: 'not-commented' });
  expect(limited.waits).toEqual([]);
  server!.close();
  const broken = await github(
    [],
    Array.from({ length: 9 }, () => ({ method: 'GET', status: 500 })),
  );
  expect(await broken.upsert()).toMatchObject({ outcome: 'not-commented' });
  expect(broken.waits).toEqual([2_000, 2_000, 2_000]);
});

test('a comment that is removed in between is made again', async () => {
  const { upsert, comments } = await github(
    [other(4, `${MARK}\nold`, BOT)],
    [{ method: 'PATCH', status: 404 }],
  );
  expect(await upsert()).toEqual({ outcome: 'updated' });
  expect(comments).toHaveLength(1);
});

test('an answer that makes no sense is an error', async () => {
  const { upsert } = await github([], [{ method: 'POST', status: 422, message: 'Validation Failed' }]);
  await expect(upsert()).rejects.toThrow('answered 422');
});

test('the token is not sent to the host of a forged link', async () => {
  const { upsert, requests } = await github(
    [other(1), other(2), other(3)],
    [],
    '<http://127.0.0.1:9/evil>; rel="next"',
  );
  expect(await upsert()).toEqual({ outcome: 'created' });
  expect(requests.filter((one) => one.startsWith('GET'))).toHaveLength(1);
});

test('a text that is too long for GitHub is cut', async () => {
  const { upsert, comments } = await github([]);
  await upsert('x'.repeat(70_000));
  expect(comments[0]!.body).toHaveLength(65_536);
  expect(comments[0]!.body).toMatch(/The rest is in the report\.$/);
});
