import type { XmlValue } from '../../kernel/xml.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { quoted } from '../xml/s3-xml.ts';

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
