import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RequestProblem } from '../../api/problem-details.ts';
import { sendError, sendFile } from './answer.ts';
import { cookieName, foreignReason, hasSession, isSame, type Secrets } from './guard.ts';
import { type PageFile, pageFiles } from './page-files.ts';
import { findRoute, type Route } from './route.ts';

/** A console that serves its pages. */
export interface Console {
  /** Address without the token, where a browser that has been there before is let in. */
  readonly origin: string;
  /** Address that lets a browser in. */
  readonly address: string;
  close(): Promise<void>;
}

/** Addresses that need no cookie: the first page lets the browser in, or says how to come in. */
const FIRST_PAGE = '/';

/**
 * Serves the console on the loopback interface alone.
 *
 * @param port 0 takes any free one
 * @throws the server's error, such as `EADDRINUSE`
 */
export async function serveConsole(routes: readonly Route[], port: number): Promise<Console> {
  const files = await pageFiles();
  const secrets: Secrets = {
    token: randomBytes(24).toString('base64url'),
    session: randomBytes(24).toString('base64url'),
  };
  const server = createServer({ requestTimeout: 0 }, (incoming, response) => {
    void serve(incoming, response, { port: own(), routes, files, secrets }).catch((error: unknown) =>
      sendError(response, error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });
  const own = (): number => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  };
  const origin = `http://127.0.0.1:${own()}`;
  return {
    origin,
    address: `${origin}/?token=${secrets.token}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Site {
  readonly port: number;
  readonly routes: readonly Route[];
  readonly files: ReadonlyMap<string, PageFile>;
  readonly secrets: Secrets;
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, routes, files, secrets }: Site,
): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const url = new URL(incoming.url ?? '/', `http://127.0.0.1:${port}`);
  const isVisit = method === 'GET' && url.pathname === FIRST_PAGE;
  const foreign = foreignReason(headers, { method, port, isVisit });
  if (foreign !== undefined)
    return sendFile(response, { contentType: 'text/plain; charset=utf-8', body: foreign }, 403);
  const token = url.searchParams.get('token');
  if (isVisit && token !== null && isSame(token, secrets.token)) return letIn(response, port, secrets);
  if (!hasSession(headers, port, secrets)) return sendFile(response, HOW_TO_COME_IN, isVisit ? 401 : 403);
  const file = method === 'GET' ? files.get(url.pathname) : undefined;
  if (file !== undefined) return sendFile(response, file);
  const found = findRoute(routes, method, url.pathname);
  if (found === undefined)
    throw new RequestProblem('unknown-route', `${method} ${url.pathname} is no address of the console`);
  await found.route.answer({ parts: found.parts, query: url.searchParams, incoming, response });
}

/** Exchanges the token, which stays in the browser's history, for a cookie that no other site can have sent. */
function letIn(response: ServerResponse, port: number, { session }: Secrets): void {
  response.writeHead(303, {
    location: FIRST_PAGE,
    'set-cookie': `${cookieName(port)}=${session}; Path=/; HttpOnly; SameSite=Strict`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  response.end();
}

const HOW_TO_COME_IN = {
  contentType: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>inferdrop</title><h1>inferdrop</h1>
<p>This is the console. It lets in the browser that opens the address which it printed when it started: look in its terminal for the address with <code>?token=</code>.</p>`,
};
