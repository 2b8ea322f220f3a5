import * as z from 'zod';

/** A pull request, and the right to comment on it. */
export interface CommentPlace {
  /** Address of GitHub's API, without a slash at its end. */
  readonly apiUrl: string;
  /** Owner and name. */
  readonly repository: string;
  readonly pull: number;
  readonly token: string;
  /** Login of the comments' author, as GitHub names it; comments by other authors are left alone. */
  readonly author: string;
}

/** The end of an attempt to comment; `not-commented` has its reason, for the summary of the job. */
export type Upserted =
  | { readonly outcome: 'created' | 'updated' }
  | { readonly outcome: 'not-commented'; readonly reason: string };

/** Longest body that GitHub takes, in characters. */
const MAX_BODY = 65_536;
const CUT = '\n\nThe rest is in the report.';
/** Attempts, and the longest wait before one: a job is not held up for a comment. */
const ATTEMPTS = 4;
const MAX_WAIT_MS = 120_000;
/** Wait after a secondary limit that names none (docs.github.com, "Rate limits for the REST API"). */
const SECONDARY_WAIT_MS = 60_000;
const RETRY_WAIT_MS = 2_000;
/** Comments of a pull request that are looked through, by the hundred. */
const MAX_PAGES = 50;

const Comment = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
});
const Failure = z.object({ message: z.string() });

/** An answer after which the whole attempt is repeated. */
class Again extends Error {
  override readonly name = 'Again';
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/** An answer that another attempt would not change. */
class NotPermitted extends Error {
  override readonly name = 'NotPermitted';
}

/**
 * Writes the one comment that begins with a hidden marker: changes it if it's there, makes it if it isn't, and removes others with
 * the marker, which two concurrent jobs may have made. A token that may not comment, such as a fork's, is no error.
 *
 * @param services the wait, and the clock that a limit's reset is compared with
 */
export async function upsertComment(
  place: CommentPlace,
  { marker, body }: { readonly marker: string; readonly body: string },
  services: { readonly wait: (ms: number) => Promise<void>; readonly now: () => number },
): Promise<Upserted> {
  const hidden = `<!-- ${marker.replaceAll('--', '')} -->\n`;
  const whole = hidden + body;
  const text = whole.length <= MAX_BODY ? whole : whole.slice(0, MAX_BODY - CUT.length).toWellFormed() + CUT;
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptUpsert(place, hidden, text, services.now);
    } catch (error) {
      if (error instanceof NotPermitted) return { outcome: 'not-commented', reason: error.message };
      if (!(error instanceof Again)) throw error;
      if (attempt === ATTEMPTS || error.waitMs > MAX_WAIT_MS)
        return { outcome: 'not-commented', reason: error.message };
      await services.wait(error.waitMs);
    }
  }
}

async function attemptUpsert(
  place: CommentPlace,
  hidden: string,
  body: string,
  now: () => number,
): Promise<Upserted> {
  const comments = `/repos/${place.repository}/issues/${place.pull}/comments`;
  const one = (id: number): string => `/repos/${place.repository}/issues/comments/${id}`;
  const own: number[] = [];
  let next: string | undefined = `${comments}?per_page=100`;
  for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
    const response: Response = await call(place, 'GET', next, undefined, now);
    for (const comment of z.array(Comment).parse(await response.json()))
      if (comment.user?.login === place.author && comment.body?.startsWith(hidden.trimEnd()))
        own.push(comment.id);
    next = nextPage(response.headers.get('link'), place.apiUrl);
  }
  const [first, ...others] = own;
  if (first === undefined) {
    await call(place, 'POST', comments, { body }, now);
    return { outcome: 'created' };
  }
  await call(place, 'PATCH', one(first), { body }, now);
  for (const id of others) await call(place, 'DELETE', one(id), undefined, now);
  return { outcome: 'updated' };
}

/** The path of the next page; an address of another host would be sent the token, and is not followed. */
function nextPage(link: string | null, apiUrl: string): string | undefined {
  const address = /<([^<>]+)>;\s*rel="next"/.exec(link ?? '')?.[1];
  return address?.startsWith(`${apiUrl}/`) ? address.slice(apiUrl.length) : undefined;
}

async function call(
  { apiUrl, token }: CommentPlace,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: object | undefined,
  now: () => number,
): Promise<Response> {
  const headers = {
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'user-agent': 'inferdrop',
    'x-github-api-version': '2022-11-28',
    ...(body && { 'content-type': 'application/json' }),
  };
  const response = await fetch(apiUrl + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Again(`GitHub could not be reached: ${String(error)}`, RETRY_WAIT_MS);
  });
  if (response.ok) return response;
  const failure = Failure.safeParse(await response.json().catch(() => undefined));
  const message = failure.success ? failure.data.message : '';
  const said = `GitHub answered ${response.status} to ${method} ${path.split('?')[0]}: ${message}`;
  const waitMs = limitWait(response, message, now);
  if (waitMs !== undefined) throw new Again(said, waitMs);
  if (response.status >= 500) throw new Again(said, RETRY_WAIT_MS);
  // Another job, or a person, has removed the comment in between.
  if (response.status === 404 && method !== 'GET') throw new Again(said, RETRY_WAIT_MS);
  if ([401, 403, 404, 410].includes(response.status)) throw new NotPermitted(said);
  throw new Error(said);
}

/** Time to wait after a limit of requests; undefined for other answers. */
function limitWait({ status, headers }: Response, message: string, now: () => number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after)) return after * 1_000;
  if (headers.get('x-ratelimit-remaining') === '0')
    return Math.max(0, Number(headers.get('x-ratelimit-reset')) * 1_000 - now()) + 1_000;
  return status === 429 || /secondary rate limit/i.test(message) ? SECONDARY_WAIT_MS : undefined;
}
