import type { XmlValue } from '../../kernel/xml.ts';
import { invalidArgument, wholeNumber } from '../listing/page-parameters.ts';
import { findVersion } from '../object/find-version.ts';
import { checkReadConditions } from '../object/read-conditions.ts';
import { versionHeader } from '../object/store-version.ts';
import type { S3Operation } from '../operation.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { s3Xml } from '../xml/s3-xml.ts';

const MAX_PARTS = 1000;
const ATTRIBUTES = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;

/** `GetObjectAttributes`: an attribute that the object does not have is left out; at most 1,000 parts a page. */
export const getObjectAttributes: S3Operation = {
  name: 'GetObjectAttributes',
  method: 'GET',
  on: 'object',
  needs: ['attributes'],
  allows: ['versionId'],
  run({ bucket, key, query, headers }, storage) {
    const version = findVersion(storage, { bucket, key }, query.get('versionId') ?? undefined);
    checkReadConditions(headers, version);
    const wanted = wantedAttributes(headers['x-amz-object-attributes']);
    const all: Record<(typeof ATTRIBUTES)[number], XmlValue> = {
      // The one place where an ETag has no quotes.
      ETag: version.etag,
      Checksum: version.checksum && {
        [`Checksum${version.checksum.algorithm}`]: version.checksum.value,
        ChecksumType: version.checksum.type,
      },
      ObjectParts: toParts(version, headers),
      StorageClass: version.headers['x-amz-storage-class'] ?? 'STANDARD',
      ObjectSize: version.size,
    };
    const chosen = Object.entries(all).filter(([name]) => wanted.has(name));
    return {
      xml: s3Xml('GetObjectAttributesResponse', Object.fromEntries(chosen)),
      headers: {
        'last-modified': new Date(version.lastModifiedMs).toUTCString(),
        ...versionHeader(storage, bucket, version),
      },
    };
  },
};

function wantedAttributes(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').split(',').map((name) => name.trim());
  const known: readonly string[] = ATTRIBUTES;
  for (const name of names) {
    if (!known.includes(name))
      throw invalidArgument('x-amz-object-attributes', name, `one of ${ATTRIBUTES.join(', ')}`);
  }
  return new Set(names);
}

function toParts({ parts }: ObjectVersion, headers: Readonly<Record<string, string>>): XmlValue {
  if (!parts) return undefined;
  const given = { get: (name: string) => headers[name] };
  const marker = wholeNumber(given, 'x-amz-part-number-marker', 0);
  const most = Math.min(MAX_PARTS, wholeNumber(given, 'x-amz-max-parts', MAX_PARTS));
  const page = parts.slice(marker, marker + most);
  const hasChecksums = parts.some(({ checksum }) => checksum !== undefined);
  return {
    PartsCount: parts.length,
    PartNumberMarker: marker,
    NextPartNumberMarker: marker + page.length,
    MaxParts: most,
    IsTruncated: marker + page.length < parts.length,
    // S3 lists the parts only of objects that were uploaded with checksums.
    Part: hasChecksums
      ? page.map(({ size, checksum }, index) => ({
          PartNumber: marker + index + 1,
          ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value } : {}),
          Size: size,
        }))
      : undefined,
  };
}
