import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

/** A request to be signed. */
export interface PlainRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Credentials of a user, or of a role, which have a session token. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** The service and region that a request is signed for, and the credentials. */
export interface Signer {
  /** The service's name in signatures: `s3`, `execute-api`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/** The headers of a request with AWS's signature, version 4: the given ones and the signature's. */
export async function signRequest(
  { method, url, headers = {}, body }: PlainRequest,
  { service, region, credentials }: Signer,
): Promise<Readonly<Record<string, string>>> {
  const { sessionToken, ...keys } = credentials;
  const signer = new SignatureV4({
    service,
    region,
    credentials: sessionToken === undefined ? keys : { ...keys, sessionToken },
    sha256: Sha256,
    // S3 signs the path as it is sent; every other service encodes it once more.
    uriEscapePath: service !== 's3',
    applyChecksum: service === 's3',
  });
  const query = Object.fromEntries(
    Array.from(new Set(url.searchParams.keys()), (name) => [name, url.searchParams.getAll(name)]),
  );
  const signed = await signer.sign({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    query,
    headers: { ...headers, host: url.host },
    ...(body !== undefined && { body }),
  });
  return signed.headers;
}
