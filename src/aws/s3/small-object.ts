import { Condition } from '../../problem/conditions.ts';
import { exchange } from '../calls/exchange.ts';
import { signRequest } from '../calls/sign-request.ts';
import { type Environment, environmentCredentials, ownEndpoint } from '../runtime/environment.ts';

/** An object with the ETag for the next conditional read. */
interface SmallObject {
  readonly text: string;
  readonly etag: string;
}

/** Result of a repeated read. */
type SmallObjectRead = SmallObject | 'unchanged' | undefined;

/**
 * Reads small objects of one bucket with signed GETs, so that a function which needs one file of S3 does not bundle S3's client
 * (ADR 8). Undefined if there is no such object.
 */
export interface SmallObjects {
  /** @throws `AccessDenied`, `ServiceUnavailable`, `NetworkingError` */
  read(key: string, knownEtag?: string): Promise<SmallObjectRead>;
}

/** The bucket of this name; `domain` is its regional domain name in AWS. */
export function smallObjects(options: {
  readonly bucket: string;
  readonly domain: string;
  readonly region: string;
  readonly environment: Environment;
}): SmallObjects {
  const { region, environment } = options;
  return {
    async read(key, knownEtag) {
      const request = {
        method: 'GET',
        url: toUrl(options, key),
        headers: {
          ...(knownEtag !== undefined && { 'if-none-match': knownEtag }),
        },
      } as const;
      const signer = { service: 's3', region, credentials: environmentCredentials(environment) };
      const signed = { ...request, headers: await signRequest(request, signer) };
      const { status, headers, body } = await exchange(signed);
      if (status === 200) return { text: body.toString('utf8'), etag: headers.etag ?? '' };
      if (status === 304) return 'unchanged';
      if (status === 404) return undefined;
      const name = status === 403 ? 'AccessDenied' : 'ServiceUnavailable';
      throw new Condition(name, `S3 answered ${status} for ${key}`);
    },
  };
}

/** Puts the bucket into the path for a custom endpoint, which rarely answers on `<bucket>.<host>`. */
function toUrl(
  options: { readonly bucket: string; readonly domain: string; readonly environment: Environment },
  key: string,
): URL {
  const own = ownEndpoint(options.environment, 'S3');
  const path = key.split('/').map(encoded).join('/');
  return own === undefined
    ? new URL(`https://${options.domain}/${path}`)
    : new URL(`/${options.bucket}/${path}`, own);
}

/** Encodes for an S3 signature, in which only RFC 3986's unreserved characters stay; encodeURIComponent leaves five more. */
function encoded(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
