import { SignatureRefusal } from './signature-refusal.ts';

/** The signer that a request claims, before anything is verified. */
export interface Signature {
  readonly accessKeyId: string;
  /** `YYYYMMDD`, `region` and `service` of the credential's scope. */
  readonly day: string;
  readonly region: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  /** 64 hexadecimal digits. */
  readonly value: string;
  /** Time in the form in which it was sent, `YYYYMMDDTHHMMSSZ`. */
  readonly timestamp: string;
  readonly signedAtMs: number;
  /** Only on a presigned URL. */
  readonly expiresInSeconds: number | undefined;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_EXPIRY_SECONDS = 7 * 24 * 60 * 60;

/**
 * Reads the `Authorization` header or a presigned URL's query, or undefined for an anonymous request.
 *
 * @throws {SignatureRefusal} `malformed` if there is a signature but not a whole one
 */
export function parseSignature(
  headers: Readonly<Record<string, string>>,
  query: URLSearchParams,
): Signature | undefined {
  if (headers['authorization'] !== undefined) return parseHeader(headers['authorization'], headers);
  if (query.has('X-Amz-Signature') || query.has('X-Amz-Algorithm')) return parsePresigned(query);
  return undefined;
}

function parseHeader(authorization: string, headers: Readonly<Record<string, string>>): Signature {
  if (!authorization.startsWith(`${ALGORITHM} `))
    throw malformed(`The authorization mechanism must be ${ALGORITHM}, is ${authorization.split(' ', 1)[0]}`);
  const fields = new Map<string, string>();
  for (const field of authorization.slice(ALGORITHM.length + 1).split(',')) {
    const equals = field.indexOf('=');
    if (equals > 0) fields.set(field.slice(0, equals).trim(), field.slice(equals + 1).trim());
  }
  return toSignature({
    credential: fields.get('Credential'),
    signedHeaders: fields.get('SignedHeaders'),
    value: fields.get('Signature'),
    timestamp: headers['x-amz-date'],
    expiresInSeconds: undefined,
  });
}

function parsePresigned(query: URLSearchParams): Signature {
  if (query.get('X-Amz-Algorithm') !== ALGORITHM)
    throw malformed(`X-Amz-Algorithm must be ${ALGORITHM}, is ${query.get('X-Amz-Algorithm') ?? 'absent'}`);
  const expires = Number(query.get('X-Amz-Expires') ?? Number.NaN);
  if (!Number.isInteger(expires) || expires < 1 || expires > MAX_EXPIRY_SECONDS)
    throw malformed(
      `X-Amz-Expires must be 1..${MAX_EXPIRY_SECONDS} seconds, is ${query.get('X-Amz-Expires')}`,
    );
  return toSignature({
    credential: query.get('X-Amz-Credential') ?? undefined,
    signedHeaders: query.get('X-Amz-SignedHeaders') ?? undefined,
    value: query.get('X-Amz-Signature') ?? undefined,
    timestamp: query.get('X-Amz-Date') ?? undefined,
    expiresInSeconds: expires,
  });
}

function toSignature(given: {
  readonly credential: string | undefined;
  readonly signedHeaders: string | undefined;
  readonly value: string | undefined;
  readonly timestamp: string | undefined;
  readonly expiresInSeconds: number | undefined;
}): Signature {
  const { credential, signedHeaders, value, timestamp, expiresInSeconds } = given;
  if (!credential || !signedHeaders || !value)
    throw malformed('A signature needs Credential, SignedHeaders and Signature');
  if (!timestamp) throw malformed('A signature needs its time: X-Amz-Date, as in 20260101T000000Z');
  const [terminator, service, region, day, ...rest] = credential.split('/').reverse();
  const accessKeyId = rest.reverse().join('/');
  if (terminator !== 'aws4_request' || !service || !region || !day || !accessKeyId)
    throw malformed(
      `Credential must be <access key>/<date>/<region>/<service>/aws4_request, is ${credential}`,
    );
  const names = signedHeaders.toLowerCase().split(';');
  if (!names.includes('host'))
    throw malformed(
      `'Host' must be a 'SignedHeader' in the AWS Authorization; SignedHeaders is ${signedHeaders}`,
    );
  if (!timestamp.startsWith(day)) throw malformed(`The credential's date ${day} doesn't match ${timestamp}`);
  return {
    accessKeyId,
    day,
    region,
    service,
    signedHeaders: names,
    value,
    timestamp,
    signedAtMs: parseTimestamp(timestamp),
    expiresInSeconds,
  };
}

function parseTimestamp(timestamp: string): number {
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(timestamp);
  if (!at) throw malformed(`X-Amz-Date must be as in 20260101T000000Z, is ${timestamp}`);
  const [, year, month, day, hour, minute, second] = at;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function malformed(message: string): SignatureRefusal {
  return new SignatureRefusal('malformed', message);
}
