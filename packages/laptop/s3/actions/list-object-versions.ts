import { listVersions } from '../listing/list-versions.ts';
import { toObjectEntry } from '../listing/object-entry.ts';
import { invalidArgument, pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { toOwner } from '../xml/owner.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `ListObjectVersions`: a `key-marker` alone goes on after all versions of its key; in a bucket without versions each id is `null`. */
export const listObjectVersions: S3Operation = {
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
    if (versionIdMarker !== '' && keyMarker === '') {
      throw invalidArgument('version-id-marker', versionIdMarker, 'given together with a key-marker');
    }
    const marker = { key: keyMarker, versionId: versionIdMarker };
    const page = listVersions(storage.catalog.bucket(bucket), { prefix, delimiter, after: marker, maxKeys });
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
};
