import type { XmlValue } from '../../kernel/xml.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { quoted } from '../xml/s3-xml.ts';
import type { ObjectPage } from './list-page.ts';

/** A `Contents` or `Version` element's members, without the key. */
export function toObjectEntry(version: ObjectVersion): Readonly<Record<string, XmlValue>> {
  return {
    LastModified: new Date(version.lastModifiedMs),
    ETag: quoted(version.etag),
    ChecksumAlgorithm: version.checksum?.algorithm,
    ChecksumType: version.checksum?.type,
    Size: version.size,
    StorageClass: version.headers['x-amz-storage-class'] ?? 'STANDARD',
  };
}

/** The objects of a page, and the prefixes that stand for others. @param encode as the caller asked for keys */
export function toPageEntries(
  { objects, commonPrefixes }: ObjectPage,
  encode: (text: string) => string,
  owner: XmlValue,
): Readonly<Record<string, XmlValue>> {
  return {
    Contents: objects.map(({ key, version }) => ({
      Key: encode(key),
      ...toObjectEntry(version),
      Owner: owner,
    })),
    CommonPrefixes: commonPrefixes.map((commonPrefix) => ({ Prefix: encode(commonPrefix) })),
  };
}
