import { listPage } from '../listing/list-page.ts';
import { toPageEntries } from '../listing/object-entry.ts';
import { invalidArgument, pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { toOwner } from '../xml/owner.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `ListObjectsV2`: at most 1,000 keys and common prefixes a page, in the order of their UTF-8 bytes. */
export const listObjectsV2: S3Operation = {
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
    if (query.get('list-type') !== '2') throw invalidArgument('list-type', query.get('list-type') ?? '', '2');
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
      NextContinuationToken: page.next === undefined ? undefined : Buffer.from(page.next).toString('base64'),
      ...toPageEntries(page, encode, owner),
    });
    return { xml };
  },
};

/** A token is the last key of the page before it. */
function parseToken(token: string): string {
  const after = Buffer.from(token, 'base64').toString('utf8');
  if (token === '' || Buffer.from(after).toString('base64') !== token) {
    throw invalidArgument('continuation-token', token, 'one that an earlier page gave');
  }
  return after;
}
