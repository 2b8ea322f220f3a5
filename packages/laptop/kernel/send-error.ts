import type { ServerResponse } from 'node:http';
import type { AwsError } from './aws-error.ts';
import { sendJsonError } from './json-service.ts';
import { protocolOf } from './protocol.ts';
import { sendQueryError } from './query-service.ts';
import type { ServiceRequest } from './service.ts';
import { toXmlDocument } from './xml.ts';

/** Writes an error in the protocol of the request; the body is left out where the method forbids one. */
export function sendError(
  response: ServerResponse,
  request: Pick<ServiceRequest, 'headers' | 'form' | 'signingService' | 'requestId' | 'path'>,
  error: AwsError,
): void {
  const protocol = protocolOf(request);
  switch (protocol) {
    case 'json':
      sendJsonError(
        response,
        request.requestId,
        request.headers['content-type'] ?? 'application/x-amz-json-1.1',
        error,
      );
      return;
    case 'rest-json':
      sendJsonError(response, request.requestId, 'application/json', error);
      return;
    case 'query':
      sendQueryError(response, request.requestId, 'http://webservices.amazon.com/', error);
      return;
    case 's3':
      sendS3Error(response, request, error);
  }
}

/** S3 has a form of error of its own: no namespace, members of the fault next to code and message. */
export function sendS3Error(
  response: ServerResponse,
  request: Pick<ServiceRequest, 'requestId' | 'path'>,
  error: AwsError,
): void {
  const details = Object.entries(error.details).map(([name, value]) => [name, String(value)]);
  const document = toXmlDocument('Error', {
    Code: error.code,
    Message: error.message,
    ...Object.fromEntries(details),
    Resource: request.path,
    RequestId: request.requestId,
  });
  const bytes = Buffer.from(document);
  const headers = {
    ...error.headers,
    'x-amz-request-id': request.requestId,
    'content-type': 'application/xml',
    'content-length': bytes.length,
  };
  response.writeHead(error.statusCode, error.statusCode === 304 ? error.headers : headers);
  response.end(error.statusCode === 304 ? undefined : bytes);
}
