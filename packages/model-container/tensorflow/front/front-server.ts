import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PythonService } from '../../handlers/python-service.ts';
import { createPrivateServer, type PrivateServer } from '../../loopback-server.ts';
import { CUSTOM_ATTRIBUTES_HEADER } from './custom-attributes.ts';
import { toGatewayPage } from './gateway-page.ts';
import { type InvokedModel, invokeModel } from './invoke-model.ts';

interface FrontOptions extends InvokedModel {
  /** Present where the archive has a script: then it gets every invocation, unconverted. */
  readonly python: PythonService | undefined;
  readonly readTimeoutMs: number;
}

interface FrontAnswer {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
}

const JSON_TYPE = 'application/json';
const HTML_TYPE = 'text/html';

/** The container's port 8080: `/ping` and `/invocations`, everything else is 404. */
export function createFrontServer(options: FrontOptions): PrivateServer {
  return createPrivateServer((request, response) => {
    answer(request, options).then(
      (reply) => send(response, reply),
      // The backend of nginx did not answer: the Python worker died, or was killed.
      () => send(response, { status: 502, body: toGatewayPage(502), contentType: HTML_TYPE }),
    );
  });
}

async function answer(request: IncomingMessage, options: FrontOptions): Promise<FrontAnswer> {
  const path = request.url?.split('?')[0];
  if (path === '/ping') return { status: 200, body: '', contentType: JSON_TYPE };
  if (path !== '/invocations') return { status: 404, body: '{"error": "Not Found"}', contentType: JSON_TYPE };
  const body = await readBody(request);
  const answered = options.python
    ? invokeScript(request, body, options.python)
    : invokeModel(
        {
          body,
          contentType: request.headers['content-type'],
          accept: request.headers.accept,
          customAttributes: header(request, CUSTOM_ATTRIBUTES_HEADER),
        },
        options,
      );
  return withTimeout(answered, options.readTimeoutMs);
}

function withTimeout(answered: Promise<FrontAnswer>, timeoutMs: number): Promise<FrontAnswer> {
  return new Promise((resolve, reject) => {
    const late = { status: 504, body: toGatewayPage(504), contentType: HTML_TYPE };
    const timer = setTimeout(() => resolve(late), timeoutMs);
    answered.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function invokeScript(
  request: IncomingMessage,
  body: Uint8Array,
  python: PythonService,
): Promise<FrontAnswer> {
  const {
    status,
    body: answered,
    contentType,
  } = await python.invoke({
    body,
    contentType: request.headers['content-type'],
    accept: request.headers.accept,
    customAttributes: header(request, CUSTOM_ATTRIBUTES_HEADER),
  });
  return { status, body: answered, contentType: contentType ?? JSON_TYPE };
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
function send(response: ServerResponse, { status, body, contentType }: FrontAnswer): void {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
