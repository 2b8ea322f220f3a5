import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

/** What is signed. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

type SignerOptions = ConstructorParameters<typeof SignatureV4>[0];

/** In whose name, and for which service. */
export interface Signer {
  /** As AWS names the service in signatures: `s3`, `execute-api`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: SignerOptions['credentials'];
}

/**
 * Sends a request with AWS's signature and no client: for the one call to a service whose client would be more than
 * the rest of a bundle, and for our own API.
 */
export async function sendSigned(
  { method, url, headers = {}, body }: PlainRequest,
  { service, region, credentials }: Signer,
): Promise<Response> {
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    // S3 signs the path as it is sent; every other service encodes it once more.
    uriEscapePath: service !== 's3',
  });
  const query: Record<string, string> = {};
  for (const [name, value] of url.searchParams) query[name] = value;
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    ...(url.port !== '' && { port: Number(url.port) }),
    path: url.pathname,
    query,
    headers: { host: url.host, ...headers },
    ...(body !== undefined && { body }),
  });
  const { host: _, ...sent } = signed.headers;
  return fetch(url, { method, headers: sent, ...(body !== undefined && { body: Uint8Array.from(body) }) });
}

/** The signer takes a class; Node's hashes are objects. */
class Sha256 {
  readonly #secret: string | Uint8Array | undefined;
  #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret =
      secret === undefined || typeof secret === 'string'
        ? secret
        : ArrayBuffer.isView(secret)
          ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
          : new Uint8Array(secret);
    this.#hash = this.#open();
  }

  update(chunk: Uint8Array): void {
    this.#hash.update(chunk);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    this.#hash = this.#open();
  }

  #open() {
    return this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret);
  }
}
