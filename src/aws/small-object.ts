import { fromEnv } from '@aws-sdk/credential-provider-env';
import { namedError } from './aws-error.ts';
import { sendSigned } from './signed-request.ts';

/** An object with the ETag to ask again with. */
interface SmallObject {
  readonly text: string;
  readonly etag: string;
}

/** What a repeated read found. */
type SmallObjectRead = SmallObject | 'unchanged' | undefined;

/**
 * Reads small objects of one bucket with signed GETs, so that a function which needs one file of S3 does not carry S3's
 * client (ADR 8). Undefined where there is no such object.
 */
export interface SmallObjects {
  /** @throws `AccessDenied`, `ServiceUnavailable` */
  read(key: string, knownEtag?: string): Promise<SmallObjectRead>;
}

/** The bucket of this name; `domain` is its regional domain name in AWS. */
export function smallObjects(options: {
  readonly bucket: string;
  readonly domain: string;
  readonly region: string;
}): SmallObjects {
  const credentials = fromEnv();
  return {
    async read(key, knownEtag) {
      const response = await sendSigned(
        {
          method: 'GET',
          url: toUrl(options, key),
          headers: {
            'x-amz-content-sha256': EMPTY_SHA256,
            ...(knownEtag !== undefined && { 'if-none-match': knownEtag }),
          },
        },
        { service: 's3', region: options.region, credentials },
      );
      if (response.ok) return { text: await response.text(), etag: response.headers.get('etag') ?? '' };
      // A body that nobody reads would keep the connection.
      await response.body?.cancel();
      if (response.status === 304) return 'unchanged';
      if (response.status === 404) return undefined;
      const name = response.status === 403 ? 'AccessDenied' : 'ServiceUnavailable';
      throw namedError(name, `S3 answered ${response.status} for ${key}`);
    },
  };
}

/** SHA-256 of nothing, which S3 wants in a header of its own. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** An endpoint of one's own rarely answers on `<bucket>.<host>`. */
function toUrl({ bucket, domain }: { readonly bucket: string; readonly domain: string }, key: string): URL {
  const own = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  const path = key.split('/').map(encodeURIComponent).join('/');
  return own === undefined ? new URL(`https://${domain}/${path}`) : new URL(`/${bucket}/${path}`, own);
}
