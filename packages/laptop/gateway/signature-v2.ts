import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureRefusal } from './signature-refusal.ts';

/** An S3 address presigned with Signature Version 2, the default of boto3 and of version 1 of the AWS CLI. */
export interface SignatureV2 {
  readonly accessKeyId: string;
  /** Base64. */
  readonly value: string;
  /** Seconds since the epoch, as sent. */
  readonly expires: string;
}

/** Query parameters that are part of the signed string. */
const SIGNED_PARAMETERS =
  /^(acl|delete|location|logging|notification|partNumber|policy|requestPayment|tagging|torrent|uploadId|uploads|versionId|versioning|versions|website|lifecycle|cors|restore|encryption)$|^response-/;

/** Reads the signature in an address's query; undefined unless all three of its parameters are there. */
export function parseSignatureV2(query: URLSearchParams): SignatureV2 | undefined {
  const [accessKeyId, value, expires] = ['AWSAccessKeyId', 'Signature', 'Expires'].map((name) =>
    query.get(name),
  );
  return accessKeyId && value && expires ? { accessKeyId, value, expires } : undefined;
}

/**
 * Verifies a presigned address.
 *
 * @throws {SignatureRefusal} for an unknown key, an address that has expired, or a signature that differs from the computed one
 */
export function verifySignatureV2(
  { accessKeyId, value, expires }: SignatureV2,
  request: {
    readonly method: string;
    /** Path on the wire, with the bucket. */
    readonly path: string;
    readonly query: URLSearchParams;
    readonly headers: Readonly<Record<string, string>>;
  },
  expected: { readonly secret: string | undefined; readonly nowMs: number },
): void {
  if (expected.secret === undefined)
    throw new SignatureRefusal(
      'unknown-key',
      `The AWS Access Key Id you provided does not exist in our records: ${accessKeyId}`,
    );
  if (!(Number(expires) * 1000 >= expected.nowMs))
    throw new SignatureRefusal('expired', 'Request has expired');
  const { method, path, query, headers } = request;
  const amzHeaders = Object.keys(headers)
    .filter((name) => name.startsWith('x-amz-'))
    .sort()
    .map((name) => `${name}:${headers[name]}\n`);
  const parameters = [...query]
    .filter(([name]) => SIGNED_PARAMETERS.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, parameter]) => (parameter === '' ? name : `${name}=${parameter}`));
  const resource = parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
  const lines = [method, headers['content-md5'] ?? '', headers['content-type'] ?? '', expires];
  const text = `${lines.join('\n')}\n${amzHeaders.join('')}${resource}`;
  const computed = createHmac('sha1', expected.secret).update(text).digest();
  const given = Buffer.from(value, 'base64');
  if (given.length !== computed.length || !timingSafeEqual(given, computed))
    throw new SignatureRefusal(
      'mismatch',
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    );
}
