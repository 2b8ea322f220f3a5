import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { RequestProblem } from '../../api/problem-details.ts';
import { sendError, sendFile, sendJson } from './answer.ts';
import { foreignReason, isLetIn, withTicket } from './guard.ts';
import { type PageFile, pageFiles } from './page-files.ts';
import { findRoute, type Route } from './route.ts';

/** A console that serves its pages. */
export interface Console {
  /** Address without the token, for a browser that has been let in before. */
  readonly origin: string;
  /** Address that lets a browser in: the part after `#` stays in the browser. */
  readonly address: string;
  close(): Promise<void>;
}

/** The page, which a link of another page may open: it holds no data, and says how to come in. */
const FIRST_PAGE = '/';
/** Exchanges the address of a document for one with its ticket. */
const TICKET = '/api/ticket';

/** Serves the console only on the loopback interface. */
export async function serveConsole(routes: readonly Route[], port: number): Promise<Console> {
  const files = await pageFiles();
  const token = randomBytes(24).toString('base64url');
  const server = createServer({ requestTimeout: 0 }, (incoming, response) => {
    void serve(incoming, response, { port: own(), routes, files, token }).catch((error: unknown) =>
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
    address: `${origin}/#token=${token}`,
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
  readonly token: string;
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, routes, files, token }: Site,
): Promise<void> {
  const { method = 'GET', headers } = incoming;
  const url = new URL(incoming.url ?? '/', `http://127.0.0.1:${port}`);
  const isVisit = method === 'GET' && url.pathname === FIRST_PAGE;
  const foreign = foreignReason(headers, { method, port, isVisit });
  if (foreign !== undefined)
    return sendFile(response, { contentType: 'text/plain; charset=utf-8', body: foreign }, 403);
  // The files of the pages are everybody's: without the token they show nothing.
  const file = method === 'GET' ? files.get(url.pathname) : undefined;
  if (file !== undefined) return sendFile(response, file);
  if (!isLetIn(method, headers, url, token)) return sendJson(response, NOT_LET_IN, 403);
  const document = URL.parse(url.searchParams.get('of') ?? '', url.origin);
  if (method === 'GET' && url.pathname === TICKET && document !== null)
    return sendJson(response, { address: withTicket(document, token) });
  const found = findRoute(routes, method, url.pathname);
  if (found === undefined)
    throw new RequestProblem('unknown-route', `${method} ${url.pathname} is no address of the console`);
  await found.route.answer({ parts: found.parts, query: url.searchParams, incoming, response });
}

const NOT_LET_IN = {
  kind: 'not-let-in',
  detail:
    'This is the console. It lets in the browser that opens the address which it printed when it started: look in its ' +
    'terminal for the address with #token=',
};
