import { createHash } from 'node:crypto';

/** The ETag of an object in parts, without quotes: the MD5 of its parts' MD5s (hexadecimal) and their number. */
export function multipartEtag(md5s: readonly string[]): string {
  const bytes = Buffer.concat(md5s.map((md5) => Buffer.from(md5, 'hex')));
  return `${createHash('md5').update(bytes).digest('hex')}-${md5s.length}`;
}
