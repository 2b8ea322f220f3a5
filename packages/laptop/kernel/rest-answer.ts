import type { ServerResponse } from 'node:http';
import type { ServiceRequest } from './service.ts';

/** Answer of a REST call. */
export interface RestAnswer {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes out as JSON. */
  readonly body?: Buffer | Readonly<Record<string, unknown>>;
}

/** Writes the answer to a call of the REST JSON protocol. */
export function sendRest(
  response: ServerResponse,
  { requestId }: ServiceRequest,
  { statusCode, headers, body }: RestAnswer,
): void {
  const bytes =
    body === undefined ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  response.writeHead(statusCode, {
    'content-type': 'application/json',
    'content-length': bytes.length,
    'x-amzn-requestid': requestId,
    ...headers,
  });
  response.end(bytes);
}
