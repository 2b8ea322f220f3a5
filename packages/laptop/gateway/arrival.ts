import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceRequest } from '../kernel/service.ts';

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

/** Far above any limit of an AWS API that is not S3; larger bodies are refused rather than held in memory. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Reads a whole body into memory.
 *
 * @throws {AwsError} `RequestEntityTooLarge`
 */
export function readBody(incoming: IncomingMessage, largestBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes <= largestBytes) return;
      // The stream outlives the refusal: the connection must stay whole for the answer.
      incoming.off('data', take);
      incoming.resume();
      reject(
        new AwsError('RequestEntityTooLarge', `The body must be at most ${largestBytes} bytes`, {
          statusCode: 413,
        }),
      );
    };
    const gone = (): void => {
      if (!incoming.readableEnded)
        reject(new AwsError('RequestTimeout', 'The client went away before its request was whole'));
    };
    if (incoming.destroyed) return gone();
    incoming.on('data', take);
    incoming.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', reject);
    incoming.once('close', gone);
  });
}
