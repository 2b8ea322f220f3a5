import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceRequest } from '../kernel/service.ts';

const MAX_KEY_BYTES = 1024;

/** Bucket and key of a request. Empty strings where it names no bucket or no key. */
export interface Address {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Reads bucket and key from the path, or the bucket from a host such as `data.localhost` (clients put it there unless the endpoint is
 * an IP address).
 *
 * @throws {AwsError} `KeyTooLongError`
 */
export function parseAddress({ path, headers }: Pick<ServiceRequest, 'path' | 'headers'>): Address {
  const host = /^([a-z0-9][a-z0-9.-]+)\.localhost(?::\d+)?$/.exec(headers['host'] ?? '');
  if (host?.[1] !== undefined) return { bucket: host[1], key: parseKey(path.slice(1)) };
  const slash = path.indexOf('/', 1);
  const bucket = slash < 0 ? path.slice(1) : path.slice(1, slash);
  return { bucket: decodeURIComponent(bucket), key: slash < 0 ? '' : parseKey(path.slice(slash + 1)) };
}

function parseKey(encoded: string): string {
  const key = decodeURIComponent(encoded);
  const sizeBytes = Buffer.byteLength(key);
  if (sizeBytes <= MAX_KEY_BYTES) return key;
  throw new AwsError('KeyTooLongError', 'Your key is too long', {
    details: { Size: sizeBytes, MaxSizeAllowed: MAX_KEY_BYTES },
  });
}
