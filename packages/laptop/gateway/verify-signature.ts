import { timingSafeEqual } from 'node:crypto';
import { hashCanonicalRequest, type SignedRequest } from './canonical-request.ts';
import type { Signature } from './signature.ts';
import { SignatureRefusal } from './signature-refusal.ts';
import { type ChunkSigning, signingKey, signLines, toScopeText } from './signing-key.ts';

/** Allowed clock difference: 15 minutes, at API Gateway five. */
const MAX_SKEW_MINUTES = 15;
const SKEW_MINUTES: Readonly<Record<string, number>> = { 'execute-api': 5 };

/**
 * Verifies a signature.
 *
 * @throws {SignatureRefusal}
 */
export function verifySignature(
  signature: Signature,
  request: Omit<SignedRequest, 'signedHeaders'>,
  expected: { readonly secret: string | undefined; readonly region: string; readonly nowMs: number },
): ChunkSigning {
  if (expected.secret === undefined)
    throw new SignatureRefusal(
      'unknown-key',
      `The AWS Access Key Id you provided does not exist in our records: ${signature.accessKeyId}`,
    );
  verifyTime(signature, expected.nowMs);
  const key = signingKey(expected.secret, signature);
  const scope = toScopeText(signature);
  const sign = (algorithm: string, lines: readonly string[]): string =>
    signLines(key, [algorithm, signature.timestamp, scope, ...lines]);
  const hash = hashCanonicalRequest(
    { ...request, signedHeaders: signature.signedHeaders },
    signature.service,
  );
  if (!isSame(sign('AWS4-HMAC-SHA256', [hash]), signature.value))
    throw new SignatureRefusal(
      'mismatch',
      'The request signature we calculated does not match the signature you provided. ' +
        `Check the secret access key of ${signature.accessKeyId} (the stack printed its own when it started) and the signing method.`,
    );
  if (signature.service === 's3') verifyHeaders(signature, request.headers);
  // STS's global endpoint is signed for us-east-1 wherever the client is.
  if (signature.region !== expected.region && signature.service !== 'sts')
    throw new SignatureRefusal(
      'wrong-region',
      `The credential is scoped to region '${signature.region}', this stack is in '${expected.region}': set AWS_REGION=${expected.region}`,
    );
  return { seed: signature.value, sign };
}

/** Headers of S3 that only describe the body, which clients add to presigned requests. */
const ABOUT_THE_BODY =
  /^x-amz-(?:content-sha256|checksum-|sdk-checksum-algorithm$|trailer$|decoded-content-length$)/;

/** Headers that S3 acts upon must be signed, or the holder of a link to write an object could copy any other to it. */
function verifyHeaders(
  { signedHeaders }: Pick<Signature, 'signedHeaders'>,
  headers: Readonly<Record<string, string>>,
): void {
  const unsigned = Object.keys(headers).filter(
    (name) => name.startsWith('x-amz-') && !ABOUT_THE_BODY.test(name) && !signedHeaders.includes(name),
  );
  if (unsigned.length > 0)
    throw new SignatureRefusal(
      'unsigned-headers',
      `There were headers present in the request which were not signed: ${unsigned.join(', ')}`,
    );
}

function verifyTime({ service, signedAtMs, expiresInSeconds }: Signature, nowMs: number): void {
  const minutes = SKEW_MINUTES[service] ?? MAX_SKEW_MINUTES;
  const largestSkewMs = minutes * 60_000;
  if (expiresInSeconds === undefined) {
    if (Math.abs(nowMs - signedAtMs) > largestSkewMs)
      throw new SignatureRefusal('skewed', skewText(service, { signedAtMs, nowMs, minutes }));
    return;
  }
  const expiresAtMs = signedAtMs + expiresInSeconds * 1000;
  if (nowMs > expiresAtMs)
    throw new SignatureRefusal('expired', `Request has expired: at ${new Date(expiresAtMs).toISOString()}`);
  if (signedAtMs - nowMs > largestSkewMs)
    throw new SignatureRefusal(
      'expired',
      `Request is not valid yet: from ${new Date(signedAtMs).toISOString()}`,
    );
}

/** The sentence that S3 uses, or the one all other services use. */
function skewText(
  service: string,
  {
    signedAtMs,
    nowMs,
    minutes,
  }: { readonly signedAtMs: number; readonly nowMs: number; readonly minutes: number },
): string {
  if (service === 's3')
    return (
      'The difference between the request time and the current time is too large: ' +
      `signed at ${new Date(signedAtMs).toISOString()}, now ${new Date(nowMs).toISOString()}, at most ${minutes} minutes apart`
    );
  const [at, now] = [toAmzDate(signedAtMs), toAmzDate(nowMs)];
  const bound = minutes * 60_000;
  return signedAtMs < nowMs
    ? `Signature expired: ${at} is now earlier than ${toAmzDate(nowMs - bound)} (${now} - ${minutes} min.)`
    : `Signature not yet current: ${at} is still later than ${toAmzDate(nowMs + bound)} (${now} + ${minutes} min.)`;
}

/** `20260131T120000Z` */
function toAmzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '');
}

function isSame(computed: string, given: string): boolean {
  const [a, b] = [Buffer.from(computed), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
