import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { RestApi } from './rest-api.ts';

/** TensorFlow Serving's own port, which `context.rest_uri` names. */
export function createRestServer(api: RestApi): Server {
  return createServer((request, response) => {
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
