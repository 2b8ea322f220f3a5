import { listPage } from '../listing/list-page.ts';
import { toPageEntries } from '../listing/object-entry.ts';
import { pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { toOwner } from '../xml/owner.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** The first version of listing, which old clients and tools still call. */
export const listObjects: S3Operation = {
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
};
