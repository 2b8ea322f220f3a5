import { hash } from 'node:crypto';
import { AwsError } from '../kernel/aws-error.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Roles } from '../kernel/permission.ts';
import type { ServiceRequest, Site } from '../kernel/service.ts';
import type { Arrival } from './arrival.ts';
import { parseSignature, type Signature } from './signature.ts';
import { SignatureRefusal } from './signature-refusal.ts';
import { parseSignatureV2, verifySignatureV2 } from './signature-v2.ts';
import type { ChunkSigning } from './signing-key.ts';
import { verifySignature } from './verify-signature.ts';

/** Accepted access keys, and the clock that their signatures are dated against. */
export interface Callers {
  readonly site: Site;
  /** Secrets by access key id, of callers without a role. */
  readonly credentials: Readonly<Record<string, string>>;
  /** Callers with enforced policies. */
  readonly roles?: Roles;
  /** Clients sign with real time, so it is the computer's own by default. */
  readonly clock?: Clock;
}

/**
 * Verifies the encoding and the signature of a request, and reads the body of a form; a request without a signature is anonymous.
 *
 * @throws {SignatureRefusal} if the signature is wrong, expired or of an unknown key
 * @throws {AwsError} `InvalidURI`
 */
export async function authenticate(options: Callers, arrival: Arrival): Promise<ServiceRequest> {
  verifyEncoding(arrival);
  if (isForm(arrival)) arrival.form = new URLSearchParams((await arrival.body()).toString('utf8'));
  const legacy = parseSignatureV2(arrival.query);
  if (legacy) {
    arrival.signingService = 's3';
    const expected = {
      secret: secretOf(options, legacy.accessKeyId),
      nowMs: (options.clock ?? systemClock).now(),
    };
    verifySignatureV2(legacy, arrival, expected);
    return { ...arrival, accessKeyId: legacy.accessKeyId, chunkSigning: undefined };
  }
  const signature = parseSignature(arrival.headers, arrival.query);
  arrival.signingService = signature?.service;
  const chunkSigning = signature && (await verify(options, arrival, signature));
  return { ...arrival, accessKeyId: signature?.accessKeyId, chunkSigning };
}

/** @throws {SignatureRefusal} if the signature is wrong, expired or of an unknown key */
export async function verify(
  options: Callers,
  arrival: Arrival,
  signature: Signature,
): Promise<ChunkSigning> {
  const { site, clock = systemClock } = options;
  return verifySignature(
    signature,
    { ...arrival, payloadHash: await payloadHash(arrival, signature) },
    {
      secret: secretOf(options, signature.accessKeyId),
      region: site.region,
      nowMs: clock.now(),
    },
  );
}

function secretOf({ credentials, roles }: Callers, accessKeyId: string): string | undefined {
  const ofRole = roles?.secretOf(accessKeyId);
  if (ofRole !== undefined) return ofRole;
  return Object.hasOwn(credentials, accessKeyId) ? credentials[accessKeyId] : undefined;
}

/** S3 bodies stream, so S3 itself compares body and hash; all others are small and are read here. */
async function payloadHash(arrival: Arrival, signature: Signature): Promise<string> {
  const claimed = arrival.query.get('X-Amz-Content-Sha256') ?? arrival.headers['x-amz-content-sha256'];
  if (signature.service === 's3') {
    if (claimed !== undefined) return claimed;
    if (signature.expiresInSeconds !== undefined) return 'UNSIGNED-PAYLOAD';
    throw new SignatureRefusal('malformed', 'Missing required header for this request: x-amz-content-sha256');
  }
  if (claimed === 'UNSIGNED-PAYLOAD') return claimed;
  const actual = hash('sha256', await arrival.body());
  if (claimed !== undefined && claimed !== actual)
    throw new SignatureRefusal(
      'body-changed',
      `The body's SHA-256 is ${actual}, x-amz-content-sha256 says ${claimed}`,
    );
  return actual;
}

function verifyEncoding(arrival: Arrival): void {
  try {
    decodeURIComponent(arrival.path);
    decodeURIComponent(arrival.rawQuery);
  } catch {
    throw new AwsError(
      'InvalidURI',
      `Couldn't parse the specified URI: ${arrival.path} is not percent-encoded UTF-8`,
    );
  }
}

function isForm({ method, path, headers }: Arrival): boolean {
  return (
    method === 'POST' &&
    path === '/' &&
    (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  );
}
