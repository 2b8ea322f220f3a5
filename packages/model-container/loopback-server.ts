import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers below a secret path which only its stack knows, as in `/x7Yc…`. */
export interface PrivateServer {
  readonly server: Server;
  readonly path: string;
}

/**
 * Every program and other user of this machine, and by DNS rebinding a page that is visited, can open a loopback port; a script may
 * unpickle its input. So the server answers 404 outside a random path, which `answer` does not see.
 */
export function createPrivateServer(answer: RequestListener): PrivateServer {
  const path = `/${randomBytes(24).toString('base64url')}`;
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { url = '' } = request;
    if (!url.startsWith(`${path}/`)) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    request.url = url.slice(path.length);
    answer(request, response);
  });
  return { server, path };
}

/** Begins to listen on a free port, only on this machine. */
export function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
}

/** The port that the system gave; the server must be listening. */
export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}
