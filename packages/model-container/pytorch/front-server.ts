import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createPrivateServer, type PrivateServer } from '../loopback-server.ts';
import { QueueFull, type WorkerPool } from './worker-pool.ts';

interface FrontAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** TorchServe's port: `/ping` and `/invocations`, its errors in its own words. */
export function createTorchFront(pool: WorkerPool, maxRequestBytes: number): PrivateServer {
  return createPrivateServer((request, response) => {
    void answer(request, pool, maxRequestBytes).then(({ status, headers, body }) => {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      // As in TorchServe, an error closes the connection.
      const connection = status >= 400 ? { connection: 'close' } : {};
      response.writeHead(status, { ...headers, ...connection, 'content-length': bytes.length });
      response.end(bytes);
    });
  });
}

async function answer(
  request: IncomingMessage,
  pool: WorkerPool,
  maxRequestBytes: number,
): Promise<FrontAnswer> {
  const path = request.url?.split('?')[0];
  if (path === '/ping')
    return pool.healthy ? json(200, { status: 'Healthy' }) : json(500, { status: 'Unhealthy' });
  if (path !== '/invocations') {
    return failure(
      404,
      'ResourceNotFoundException',
      'Requested resource is not found, please refer to API document.',
    );
  }
  const body = await readBody(request, maxRequestBytes);
  if (body === undefined) return { status: 413, body: '' };
  try {
    const answered = await pool.predict({ requestId: randomUUID(), headers: toHeaders(request), body });
    if (answered.kind === 'failed')
      return failure(answered.status, 'InternalServerException', answered.message);
    return { ...answered, headers: withoutFraming(answered.headers) };
  } catch (error) {
    if (error instanceof QueueFull) return failure(503, 'ServiceUnavailableException', error.message);
    return failure(500, 'InternalServerException', 'Worker died.');
  }
}

/** Headers that tell where the answer stops, or what follows on its connection; the front sets its own. */
const FRAMING = new Set('connection content-length keep-alive trailer transfer-encoding upgrade'.split(' '));

function withoutFraming(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !FRAMING.has(name.toLowerCase())));
}

/** Names as they were sent: the toolkit looks for a few spellings only. */
function toHeaders({ rawHeaders }: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index], rawHeaders[index + 1]];
    if (name !== undefined && value !== undefined) headers[name] = value;
  }
  return headers;
}

/** Nothing if it is longer than TorchServe takes; what follows is read and forgotten, so that the answer is seen. */
function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) chunks = [];
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(size > maxBytes ? undefined : Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function json(status: number, value: unknown): FrontAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: `${JSON.stringify(value, null, 2)}\n` };
}

function failure(code: number, type: string, message: string): FrontAnswer {
  return json(code, { code, type, message });
}
