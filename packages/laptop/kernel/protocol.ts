/** How a request speaks, and so how its errors must be written. */
export type Protocol = 's3' | 'json' | 'query' | 'rest-json';

/** Determines the protocol only from the request, so that even a request for no service gets an answer its client can read. */
export function protocolOf(request: {
  readonly headers: Readonly<Record<string, string>>;
  readonly form: URLSearchParams | undefined;
  readonly signingService: string | undefined;
}): Protocol {
  if (request.headers['x-amz-target'] !== undefined) return 'json';
  if (request.form?.has('Action')) return 'query';
  if (request.signingService === undefined || request.signingService === 's3') return 's3';
  return 'rest-json';
}
