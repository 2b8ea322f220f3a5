import type { KeyObject } from 'node:crypto';
import { createHmac, createSecretKey, hash } from 'node:crypto';

/** What is signed. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Of a user, or of a role: those have a token. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** In whose name, and for which service. */
export interface Signer {
  /** As AWS names the service in signatures: `s3`, `execute-api`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/**
 * The headers of a request with AWS's signature, version 4: all that are given, and those of the signature. Every one of
 * them is signed. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signRequest(
  { method, url, headers = {}, body }: PlainRequest,
  { service, region, credentials }: Signer,
  at: Date,
): Readonly<Record<string, string>> {
  const timestamp = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = [timestamp.slice(0, 8), region, service, 'aws4_request'];
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-date': timestamp };
  if (credentials.sessionToken !== undefined) all['x-amz-security-token'] = credentials.sessionToken;
  const names = Object.keys(all).sort();
  const signedHeaders = names.join(';');
  const canonical = [
    method,
    canonicalPath(url.pathname, service),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${(all[name] ?? '').trim().replace(/ {2,}/g, ' ')}`),
    '',
    signedHeaders,
    all['x-amz-content-sha256'] ?? hash('sha256', body ?? ''),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', timestamp, scope.join('/'), hash('sha256', canonical)].join('\n');
  const signature = createHmac('sha256', signingKey(credentials.secretAccessKey, scope))
    .update(toSign)
    .digest('hex');
  const credential = [credentials.accessKeyId, ...scope].join('/');
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

let derived: { readonly of: string; readonly key: KeyObject } | undefined;

/** The key of a day, region and service: four HMACs, kept, because a function signs all its requests with the same one. */
function signingKey(secret: string, scope: readonly string[]): KeyObject {
  const of = [secret, ...scope].join('\n');
  if (derived?.of === of) return derived.key;
  const key = scope.reduce(
    (previous, part) => createSecretKey(createHmac('sha256', previous).update(part).digest()),
    createSecretKey(Buffer.from(`AWS4${secret}`)),
  );
  derived = { of, key };
  return key;
}

/** S3 takes the path as it is sent; every other service encodes it once more. */
function canonicalPath(path: string, service: string): string {
  const encode = (part: string): string =>
    encodeURIComponent(service === 's3' ? decodeURIComponent(part) : part);
  return path
    .split('/')
    .map((part) => strict(encode(part)))
    .join('/');
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => `${strict(encodeURIComponent(name))}=${strict(encodeURIComponent(value))}`)
    .sort()
    .join('&');
}

/** RFC 3986 reserves five characters that JavaScript leaves as they are. */
function strict(encoded: string): string {
  return encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
