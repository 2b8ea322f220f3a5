import { createHash } from 'node:crypto';

/** The same for the same text, in the form of a UUID. */
export function stableUuid(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
