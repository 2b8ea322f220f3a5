import { createServer, type IncomingMessage, type Server } from 'node:http';
import { foreignRequest } from '../../foreign-request.ts';
import type { RestApi } from './rest-api.ts';

/** TensorFlow Serving's own port, which `context.rest_uri` names. */
export function createRestServer(api: RestApi): Server {
  return createServer((request, response) => {
    // A script knows only the port, so we can't require a secret from it; pages that you visit are kept out.
    if (foreignRequest(plainHeaders(request)) !== undefined) {
      response.writeHead(403, { connection: 'close' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void api
        .answer(
          request.method ?? 'GET',
          request.url?.split('?')[0] ?? '/',
          Buffer.concat(chunks).toString('utf8'),
        )
        .then(({ status, body }) => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(body);
        });
    });
  });
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
