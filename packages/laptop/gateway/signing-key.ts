import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A day, region and service for which one derived key signs. */
interface SigningScope {
  readonly day: string;
  readonly region: string;
  readonly service: string;
}

const derived = new Map<string, KeyObject>();
const MAX_DERIVED = 256;

/**
 * Derives the key of a scope: four HMACs, cached because each client signs thousands of requests with the same one. (A
 * `KeyObject`, because Node prepares a key given as bytes again for each HMAC, which takes nine tenths of its time.)
 */
export function signingKey(secret: string, { day, region, service }: SigningScope): KeyObject {
  const name = [secret, day, region, service].join('\n');
  const known = derived.get(name);
  if (known) return known;
  const key = [day, region, service, 'aws4_request'].reduce(
    (previous, part) => createSecretKey(createHmac('sha256', previous).update(part).digest()),
    createSecretKey(Buffer.from(`AWS4${secret}`)),
  );
  if (derived.size >= MAX_DERIVED) derived.clear();
  derived.set(name, key);
  return key;
}

/** `<day>/<region>/<service>/aws4_request`, as it stands in every string to sign. */
export function toScopeText({ day, region, service }: SigningScope): string {
  return `${day}/${region}/${service}/aws4_request`;
}

/** Hexadecimal HMAC-SHA256 of the lines joined by newlines. */
export function signLines(key: KeyObject, lines: readonly string[]): string {
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex');
}

/** Signs one chunk of an `aws-chunked` body, each upon the signature of the one before; the request's own is the first. */
export interface ChunkSigning {
  readonly seed: string;
  sign(algorithm: string, lines: readonly string[]): string;
}
