import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { readVerifiedText, readVerifiedXml } from '../body/read-verified-xml.ts';
import { keepPolicy } from '../configuration/policy.ts';
import { pageParameters } from '../listing/page-parameters.ts';
import { createBucketNow } from '../object/create-bucket-now.ts';
import type { S3Operation } from '../operation.ts';
import { onBucket } from '../permissions.ts';
import { headerNotEmulated } from '../refusals.ts';
import type { XmlForm } from '../xml/read-xml.ts';
import { s3Xml, toOwner } from '../xml/s3-xml.ts';

const CreateBucketConfiguration: XmlForm<{ readonly LocationConstraint?: string | undefined }> = {
  root: 'CreateBucketConfiguration',
  schema: z.preprocess(
    (value) => (value === '' ? {} : value),
    z.strictObject({ LocationConstraint: z.string().optional() }),
  ),
};

/** Calls on buckets. */
export const bucketOperations: readonly S3Operation[] = [
  /**
   * `CreateBucket`: in the stack's own region. Object lock, tags in the body, ACLs, and any ownership but `BucketOwnerEnforced` are
   * refused.
   */
  {
    name: 'CreateBucket',
    method: 'PUT',
    on: 'bucket',
    async run(call, storage) {
      const { bucket, headers, request } = call;
      refuseSettings(headers);
      if ((await request.body()).length > 0) {
        const { LocationConstraint } = await readVerifiedXml(call, CreateBucketConfiguration);
        if (LocationConstraint === 'us-east-1')
          throw new AwsError('InvalidLocationConstraint', 'The specified location-constraint is not valid', {
            details: { LocationConstraint },
          });
        if (LocationConstraint !== undefined && LocationConstraint !== storage.site.region)
          throw new AwsError(
            'IllegalLocationConstraintException',
            `The ${LocationConstraint} location constraint is incompatible with the region of this stack, ${storage.site.region}`,
          );
      }
      createBucketNow(storage, bucket);
      return { headers: { location: `/${bucket}` } };
    },
  },
  /** `DeleteBucket`: refused as long as there is a version or a delete marker; multipart uploads end with the bucket. */
  {
    name: 'DeleteBucket',
    method: 'DELETE',
    on: 'bucket',
    run({ bucket }, storage) {
      if (!storage.catalog.bucket(bucket).isEmpty)
        throw new AwsError(
          'BucketNotEmpty',
          'The bucket you tried to delete is not empty. You must delete all versions in the bucket.',
          { statusCode: 409, details: { BucketName: bucket } },
        );
      const uploads = [...storage.catalog.uploads.values()].filter((upload) => upload.bucket === bucket);
      storage.commit(...uploads.map(({ uploadId }) => ({ op: 'end-upload', uploadId }) as const), {
        op: 'delete-bucket',
        bucket,
      });
      return { status: 204 };
    },
  },
  /** `HeadBucket`: with the region of the stack in `x-amz-bucket-region`. */
  {
    name: 'HeadBucket',
    method: 'HEAD',
    on: 'bucket',
    permissions: onBucket('ListBucket'),
    run({ bucket }, { catalog, site }) {
      catalog.bucket(bucket);
      return { headers: { 'x-amz-bucket-region': site.region, 'x-amz-access-point-alias': 'false' } };
    },
  },
  /** `ListBuckets`: at most 1,000 a page; S3 has up to 10,000. If `bucket-region` isn't the stack's region, the list is empty. */
  {
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
  },
  /** `GetBucketLocation`: the region of the stack. */
  {
    name: 'GetBucketLocation',
    method: 'GET',
    on: 'bucket',
    needs: ['location'],
    permissions: onBucket('GetBucketLocation'),
    run({ bucket }, { catalog, site }) {
      catalog.bucket(bucket);
      // us-east-1 is returned as an empty LocationConstraint.
      return { xml: s3Xml('LocationConstraint', site.region === 'us-east-1' ? '' : site.region) };
    },
  },
  /** `GetBucketPolicy`: the text as it was put. */
  {
    name: 'GetBucketPolicy',
    method: 'GET',
    on: 'bucket',
    needs: ['policy'],
    run({ bucket }, { catalog }) {
      const policy = catalog.bucket(bucket).configurations.get('policy');
      if (typeof policy === 'string')
        return { text: policy, headers: { 'content-type': 'application/json' } };
      throw new AwsError('NoSuchBucketPolicy', 'The bucket policy does not exist', {
        statusCode: 404,
        details: { BucketName: bucket },
      });
    },
  },
  /** `PutBucketPolicy`: enforced from the next call on. A public policy is refused unless `BlockPublicPolicy` has been turned off. */
  {
    name: 'PutBucketPolicy',
    method: 'PUT',
    on: 'bucket',
    needs: ['policy'],
    async run(call, storage) {
      storage.catalog.bucket(call.bucket);
      keepPolicy(storage, call.bucket, await readVerifiedText(call));
      return { status: 204 };
    },
  },
];

/** @throws {AwsError} for a bucket that would be another than the one this stack makes */
function refuseSettings(headers: Readonly<Record<string, string>>): void {
  for (const [name, usual] of Object.entries(USUAL)) {
    const value = headers[name] ?? usual;
    if (value === usual) continue;
    throw headerNotEmulated(name, value);
  }
  const acl = headers['x-amz-acl'] ?? 'private';
  if (acl !== 'private' || Object.keys(headers).some((name) => name.startsWith('x-amz-grant-')))
    throw new AwsError(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    );
}

const USUAL = {
  'x-amz-bucket-object-lock-enabled': 'false',
  'x-amz-object-ownership': 'BucketOwnerEnforced',
} as const;
