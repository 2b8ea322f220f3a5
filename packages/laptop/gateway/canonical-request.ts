import { hash } from 'node:crypto';

/** The parts of a request that a Signature Version 4 signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** Path on the wire, percent-encoded. */
  readonly path: string;
  /** Query on the wire, without `?`. */
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signedHeaders: readonly string[];
  /** Hexadecimal SHA-256 of the body, or the word that stands for it, as in `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

/** Fast path: a path with only unreserved characters (most paths) needs no encoding. */
const PLAIN_PATH = /^[\w.~/-]+$/;

/** SHA-256 of the canonical request. S3 encodes the path once; every other service encodes the encoded path again. */
export function hashCanonicalRequest(request: SignedRequest, service: string): string {
  const headers = request.signedHeaders.map((name) => `${name}:${canonicalValue(request.headers[name])}\n`);
  const canonical = [
    request.method,
    PLAIN_PATH.test(request.path) ? request.path : canonicalPath(request.path, service),
    canonicalQuery(request.rawQuery),
    headers.join(''),
    request.signedHeaders.join(';'),
    request.payloadHash,
  ].join('\n');
  // Node hands header bytes over as Latin-1, so Latin-1 gives back the bytes that the client signed.
  return hash('sha256', Buffer.from(canonical, 'latin1'));
}

function canonicalPath(path: string, service: string): string {
  const parts = path.split('/').map((part) => toUriPart(decodePart(part)));
  return (service === 's3' ? parts : parts.map(toUriPart)).join('/') || '/';
}

function canonicalQuery(rawQuery: string): string {
  if (rawQuery === '') return '';
  return rawQuery
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      const value = equals < 0 ? '' : pair.slice(equals + 1);
      return [toUriPart(decodeQueryPart(name)), toUriPart(decodeQueryPart(value))] as const;
    })
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function canonicalValue(value: string | undefined): string {
  return (value ?? '').trim().replace(/ {2,}/g, ' ');
}

/** RFC 3986: everything but unreserved characters is encoded. */
function toUriPart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decodePart(part: string): string {
  return part.includes('%') ? decodeURIComponent(part) : part;
}

function decodeQueryPart(part: string): string {
  return decodePart(part.replaceAll('+', ' '));
}
