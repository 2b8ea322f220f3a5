import type { ServerResponse } from 'node:http';
import type { FrontRequest } from '../kernel/service.ts';
import type { ProxyAnswer } from './proxy-answer.ts';

/** Writes an answer to the caller; what is left of a refused body is not taken for the next request. */
export function sendAnswer(response: ServerResponse, request: FrontRequest, answer: ProxyAnswer): void {
  const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
  response.writeHead(answer.statusCode, {
    ...answer.headers,
    ...(hasBody && { 'content-length': Buffer.byteLength(answer.body) }),
    'apigw-requestid': request.requestId,
  });
  response.end(hasBody && request.method !== 'HEAD' ? answer.body : undefined);
  // What a refused caller still sends must not be taken for the next request.
  if (answer.statusCode === 413) request.incoming.resume();
  if (answer.statusCode === 408) response.once('finish', () => request.incoming.destroy());
}
