import { createHash } from 'node:crypto';
import { type Agent, request } from 'node:http';
import type { Readable } from 'node:stream';
import { hashCanonicalRequest } from '../../gateway/canonical-request.ts';
import { signingKey, signLines, toScopeText } from '../../gateway/signing-key.ts';

export interface RawRequest {
  readonly method: string;
  /** Percent-encoded, without query. */
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | Readable | ((sign: ChunkSigner, seed: string) => Buffer);
  /** What goes into the signature for the body; its SHA-256 if absent. */
  readonly payloadHash?: string;
  readonly agent?: Agent;
  /** For which the request is signed; `s3` if absent. */
  readonly service?: string;
  /** Called when S3 asks for the body of a request with `Expect: 100-continue`; the body is sent when it resolves. */
  readonly beforeBody?: () => Promise<void>;
}

type ChunkSigner = (algorithm: string, lines: readonly string[]) => string;

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a signed request to S3 without an SDK: for bodies that no SDK sends, and for speed. */
export function rawS3(endpoint: string, given: RawRequest): Promise<RawAnswer> {
  const url = new URL(endpoint);
  const bytes = Buffer.isBuffer(given.body) ? given.body : Buffer.alloc(0);
  const payloadHash = given.payloadHash ?? createHash('sha256').update(bytes).digest('hex');
  const timestamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = { day: timestamp.slice(0, 8), region: 'us-east-1', service: given.service ?? 's3' };
  const headers: Record<string, string> = {
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': timestamp,
    ...given.headers,
  };
  const signedHeaders = Object.keys(headers).sort();
  const key = signingKey('test', scope);
  const { method, path, query = '' } = given;
  const hash = hashCanonicalRequest(
    { method, path, rawQuery: query, headers, signedHeaders, payloadHash },
    scope.service,
  );
  const sign: ChunkSigner = (algorithm, lines) =>
    signLines(key, [algorithm, timestamp, toScopeText(scope), ...lines]);
  const signature = sign('AWS4-HMAC-SHA256', [hash]);
  headers['authorization'] =
    `AWS4-HMAC-SHA256 Credential=test/${toScopeText(scope)}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path: query === '' ? path : `${path}?${query}`,
        headers,
        ...(given.agent ? { agent: given.agent } : {}),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    const sendBody = (): void => {
      if (given.body === undefined) outgoing.end();
      else if (Buffer.isBuffer(given.body)) outgoing.end(given.body);
      else if (typeof given.body === 'function') outgoing.end(given.body(sign, signature));
      else given.body.on('error', () => outgoing.destroy()).pipe(outgoing);
    };
    const { beforeBody } = given;
    if (!beforeBody) sendBody();
    else {
      outgoing.on('continue', () => void beforeBody().then(sendBody));
      outgoing.flushHeaders();
    }
  });
}
