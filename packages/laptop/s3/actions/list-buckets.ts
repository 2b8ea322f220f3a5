import { pageParameters } from '../listing/page-parameters.ts';
import type { S3Operation } from '../operation.ts';
import { toOwner } from '../xml/owner.ts';
import { s3Xml } from '../xml/s3-xml.ts';

/** `ListBuckets`: at most 1,000 a page; S3 has up to 10,000. If `bucket-region` isn't the stack's region, the list is empty. */
export const listBuckets: S3Operation = {
  name: 'ListBuckets',
  method: 'GET',
  on: 'service',
  allows: ['prefix', 'max-buckets', 'continuation-token', 'bucket-region'],
  run({ query }, { catalog, site }) {
    const { prefix, maxKeys } = pageParameters(query, 'max-buckets');
    const after = query.get('continuation-token') ?? '';
    const region = query.get('bucket-region') ?? site.region;
    const buckets = [...catalog.buckets.values()]
      .filter(({ name }) => name.startsWith(prefix) && name > after && region === site.region)
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const page = buckets.slice(0, maxKeys);
    const xml = s3Xml('ListAllMyBucketsResult', {
      Owner: toOwner(site),
      Buckets: {
        Bucket: page.map(({ name, createdMs }) => ({
          Name: name,
          CreationDate: new Date(createdMs),
          BucketRegion: site.region,
        })),
      },
      ContinuationToken: page.length < buckets.length ? page.at(-1)?.name : undefined,
      Prefix: prefix === '' ? undefined : prefix,
    });
    return { xml };
  },
};
