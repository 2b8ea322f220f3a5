import type { XmlValue } from '../../kernel/xml.ts';
import { listPage, type ObjectPage } from '../listing/list-page.ts';
import { listVersions } from '../listing/list-versions.ts';
import { invalidArgument, pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import type { ObjectVersion } from '../store/object-version.ts';
import { quoted, s3Xml, toOwner } from '../xml/s3-xml.ts';

/** Lists of objects and versions. */
export const listOperations: readonly S3Operation[] = [
  /** The first version of listing, which old clients and tools still call. */
  {
    name: 'ListObjects',
    method: 'GET',
    on: 'bucket',
    allows: ['prefix', 'delimiter', 'max-keys', 'encoding-type', 'marker'],
    permissions: onBucket('ListBucket'),
    run({ bucket, query }, storage) {
      const { prefix, delimiter, maxKeys, encode, encodingType } = pageParameters(query);
      const after = query.get('marker') ?? '';
      const page = listPage(storage.catalog.bucket(bucket), { prefix, delimiter, after, maxKeys });
      const owner = toOwner(storage.site);
      const xml = s3Xml('ListBucketResult', {
        Name: bucket,
        Prefix: encode(prefix),
        Marker: encode(after),
        // Without a delimiter the client takes the last key itself.
        NextMarker: page.next === undefined || delimiter === '' ? undefined : encode(page.next),
        Delimiter: delimiter === '' ? undefined : encode(delimiter),
        MaxKeys: maxKeys,
        EncodingType: encodingType,
        IsTruncated: page.next !== undefined,
        ...toPageEntries(page, encode, owner),
      });
      return { xml };
    },
  },
  /** `ListObjectsV2`: at most 1,000 keys and common prefixes a page, in the order of their UTF-8 bytes. */
  {
    name: 'ListObjectsV2',
    method: 'GET',
    on: 'bucket',
    needs: ['list-type'],
    allows: [
      'prefix',
      'delimiter',
      'max-keys',
      'encoding-type',
      'continuation-token',
      'start-after',
      'fetch-owner',
    ],
    permissions: onBucket('ListBucket'),
    run({ bucket, query }, storage) {
      if (query.get('list-type') !== '2')
        throw invalidArgument('list-type', query.get('list-type') ?? '', '2');
      const { prefix, delimiter, maxKeys, encode, encodingType } = pageParameters(query);
      const token = query.get('continuation-token') ?? undefined;
      const startAfter = query.get('start-after') ?? undefined;
      const after = token === undefined ? (startAfter ?? '') : parseToken(token);
      const page = listPage(storage.catalog.bucket(bucket), { prefix, delimiter, after, maxKeys });
      const owner = query.get('fetch-owner') === 'true' ? toOwner(storage.site) : undefined;
      const xml = s3Xml('ListBucketResult', {
        Name: bucket,
        Prefix: encode(prefix),
        Delimiter: delimiter === '' ? undefined : encode(delimiter),
        StartAfter: startAfter === undefined ? undefined : encode(startAfter),
        MaxKeys: maxKeys,
        EncodingType: encodingType,
        KeyCount: page.objects.length + page.commonPrefixes.length,
        IsTruncated: page.next !== undefined,
        ContinuationToken: token,
        NextContinuationToken:
          page.next === undefined ? undefined : Buffer.from(page.next).toString('base64'),
        ...toPageEntries(page, encode, owner),
      });
      return { xml };
    },
  },
  /** `ListObjectVersions`: a `key-marker` alone goes on after all versions of its key; in a bucket without versions each id is `null`. */
  {
    name: 'ListObjectVersions',
    method: 'GET',
    on: 'bucket',
    needs: ['versions'],
    allows: ['prefix', 'delimiter', 'max-keys', 'encoding-type', 'key-marker', 'version-id-marker'],
    permissions: onBucket('ListBucketVersions'),
    run({ bucket, query }, storage) {
      const { prefix, delimiter, maxKeys, encode, encodingType } = pageParameters(query);
      const keyMarker = query.get('key-marker') ?? '';
      const versionIdMarker = query.get('version-id-marker') ?? '';
      if (versionIdMarker !== '' && keyMarker === '')
        throw invalidArgument('version-id-marker', versionIdMarker, 'given together with a key-marker');
      const marker = { key: keyMarker, versionId: versionIdMarker };
      const page = listVersions(storage.catalog.bucket(bucket), {
        prefix,
        delimiter,
        after: marker,
        maxKeys,
      });
      const owner = toOwner(storage.site);
      const entries = page.versions.map(({ key, version, isLatest }) => {
        const head = { Key: encode(key), VersionId: version.versionId, IsLatest: isLatest };
        if (!version.deleteMarker) return { Version: { ...head, ...toObjectEntry(version), Owner: owner } };
        return { DeleteMarker: { ...head, LastModified: new Date(version.lastModifiedMs), Owner: owner } };
      });
      const xml = s3Xml('ListVersionsResult', {
        Name: bucket,
        Prefix: encode(prefix),
        KeyMarker: encode(keyMarker),
        VersionIdMarker: versionIdMarker,
        NextKeyMarker: page.next && encode(page.next.key),
        NextVersionIdMarker: page.next?.versionId === '' ? undefined : page.next?.versionId,
        Delimiter: delimiter === '' ? undefined : encode(delimiter),
        MaxKeys: maxKeys,
        EncodingType: encodingType,
        IsTruncated: page.next !== undefined,
        Version: entries.flatMap(({ Version }) => Version ?? []),
        DeleteMarker: entries.flatMap(({ DeleteMarker }) => DeleteMarker ?? []),
        CommonPrefixes: page.commonPrefixes.map((commonPrefix) => ({ Prefix: encode(commonPrefix) })),
      });
      return { xml };
    },
  },
];

/** A token is the last key of the page before it. */
function parseToken(token: string): string {
  const after = Buffer.from(token, 'base64').toString('utf8');
  if (token === '' || Buffer.from(after).toString('base64') !== token)
    throw invalidArgument('continuation-token', token, 'one that an earlier page gave');
  return after;
}

/** A `Contents` or `Version` element's members, without the key. */
function toObjectEntry(version: ObjectVersion): Readonly<Record<string, XmlValue>> {
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
function toPageEntries(
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
