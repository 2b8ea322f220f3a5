import type { Site } from '../../kernel/service.ts';
import { toXmlDocument, type XmlValue } from '../../kernel/xml.ts';

/** A document in S3's namespace. */
export function s3Xml(root: string, value: XmlValue): string {
  return toXmlDocument(root, value, { namespace: 'http://s3.amazonaws.com/doc/2006-03-01/' });
}

/** ETags carry their quotes on the wire. */
export function quoted(etag: string): string {
  return `"${etag}"`;
}

/** `encoding-type=url`: for keys that XML cannot carry. */
export function toUrlEncoded(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The one owner of everything. */
export function toOwner({ account }: Site): { readonly ID: string; readonly DisplayName: string } {
  return { ID: account.padStart(64, '0'), DisplayName: 'local' };
}
