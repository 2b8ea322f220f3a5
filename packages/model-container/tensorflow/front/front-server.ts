import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPrivateServer, type PrivateServer } from '../../loopback-server.ts';
import type { ServiceAnswer, TensorFlowService } from '../tensorflow-service.ts';
import { CUSTOM_ATTRIBUTES_HEADER } from './custom-attributes.ts';

const JSON_TYPE = 'application/json';

/** The container's port 8080: `/ping` and `/invocations`, everything else is 404. */
export function createFrontServer(service: Pick<TensorFlowService, 'invoke'>): PrivateServer {
  return createPrivateServer((request, response) => {
    answer(request, service).then(
      (reply) => send(response, reply),
      // The request broke off.
      () => response.destroy(),
    );
  });
}

async function answer(
  request: IncomingMessage,
  { invoke }: Pick<TensorFlowService, 'invoke'>,
): Promise<ServiceAnswer> {
  const path = request.url?.split('?')[0];
  if (path === '/ping') return { status: 200, body: '', contentType: JSON_TYPE };
  if (path !== '/invocations') return { status: 404, body: '{"error": "Not Found"}', contentType: JSON_TYPE };
  return invoke({
    body: await readBody(request),
    contentType: request.headers['content-type'],
    accept: request.headers.accept,
    customAttributes: header(request, CUSTOM_ATTRIBUTES_HEADER),
  });
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

/** Text is handed over as such, for Node then writes it in one piece with the head. */
function send(response: ServerResponse, { status, body, contentType }: ServiceAnswer): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
