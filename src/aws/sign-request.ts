import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';

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

/** The service and region that a request is signed for, and by whom. */
export interface Signer {
  /** As AWS names the service in signatures: `s3`, `execute-api`. */
  readonly service: string;
  readonly region: string;
  readonly credentials: Credentials;
}

/** The headers of a request with AWS's signature, version 4: all that are given, and those of the signature. */
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
    // S3 takes the path as it is sent; every other service encodes it once more.
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
