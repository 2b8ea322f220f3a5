import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ServiceRequest } from '../kernel/service.ts';
import { MAX_BODY_BYTES, readBody } from './read-body.ts';

/** A request as it arrived, before its signature has been looked at. */
export interface Arrival extends Omit<
  ServiceRequest,
  'accessKeyId' | 'chunkSigning' | 'form' | 'signingService'
> {
  readonly rawQuery: string;
  form: URLSearchParams | undefined;
  signingService: string | undefined;
}

/** Reads the head of a request; its body is read when it is first asked for. */
export function readArrival(incoming: IncomingMessage): Arrival {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  const rawQuery = mark < 0 ? '' : url.slice(mark + 1);
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? url : url.slice(0, mark),
    rawQuery,
    query: new URLSearchParams(rawQuery),
    headers: plainHeaders(incoming),
    body: bodyOf(incoming, MAX_BODY_BYTES),
    incoming,
    requestId: randomUUID(),
    form: undefined,
    signingService: undefined,
  };
}

/** Reads the body when it is first asked for. */
export function bodyOf(incoming: IncomingMessage, largestBytes: number): () => Promise<Buffer> {
  let body: Promise<Buffer> | undefined;
  return () => (body ??= readBody(incoming, largestBytes));
}

function plainHeaders(incoming: IncomingMessage): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(',');
  }
  return headers;
}
