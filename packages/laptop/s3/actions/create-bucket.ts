import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { readVerifiedXml } from '../body/read-verified-xml.ts';
import { createBucketNow } from '../object/create-bucket-now.ts';
import type { S3Operation } from '../operation.ts';
import type { XmlForm } from '../xml/read-xml.ts';

const CreateBucketConfiguration: XmlForm<{ readonly LocationConstraint?: string | undefined }> = {
  root: 'CreateBucketConfiguration',
  schema: z.preprocess(
    (value) => (value === '' ? {} : value),
    z.strictObject({ LocationConstraint: z.string().optional() }),
  ),
};

/**
 * `CreateBucket`: in the stack's own region. Object lock, tags in the body, ACLs, and any ownership but `BucketOwnerEnforced` are
 * refused.
 */
export const createBucket: S3Operation = {
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
      if (LocationConstraint !== undefined && LocationConstraint !== storage.site.region) {
        throw new AwsError(
          'IllegalLocationConstraintException',
          `The ${LocationConstraint} location constraint is incompatible with the region of this stack, ${storage.site.region}`,
        );
      }
    }
    createBucketNow(storage, bucket);
    return { headers: { location: `/${bucket}` } };
  },
};

/** @throws {AwsError} for a bucket that would be another than the one this stack makes */
function refuseSettings(headers: Readonly<Record<string, string>>): void {
  for (const [name, usual] of Object.entries(USUAL)) {
    const value = headers[name] ?? usual;
    if (value === usual) continue;
    throw new AwsError('NotImplemented', `The local S3 does not emulate the header ${name}: ${value}`, {
      statusCode: 501,
      details: { Header: name },
    });
  }
  const acl = headers['x-amz-acl'] ?? 'private';
  if (acl !== 'private' || Object.keys(headers).some((name) => name.startsWith('x-amz-grant-'))) {
    throw new AwsError(
      'InvalidBucketAclWithObjectOwnership',
      "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting",
    );
  }
}

const USUAL = {
  'x-amz-bucket-object-lock-enabled': 'false',
  'x-amz-object-ownership': 'BucketOwnerEnforced',
} as const;
