import * as z from 'zod';
import { readVerifiedXml } from '../body/read-verified-xml.ts';
import { createBucketNow } from '../object/create-bucket-now.ts';
import type { S3Operation } from '../operation.ts';
import type { XmlForm } from '../xml/read-xml.ts';
import { AwsError } from '../../gateway/aws-error.ts';

const CreateBucketConfiguration: XmlForm<{ readonly LocationConstraint?: string | undefined }> = {
  root: 'CreateBucketConfiguration',
  schema: z.preprocess(
    (value) => (value === '' ? {} : value),
    z.strictObject({ LocationConstraint: z.string().optional() }),
  ),
};

export const createBucket: S3Operation = {
  name: 'CreateBucket',
  method: 'PUT',
  on: 'bucket',
  async run(call, storage) {
    const { bucket, request } = call;
    if ((await request.body()).length > 0) {
      const { LocationConstraint } = await readVerifiedXml(call, CreateBucketConfiguration);
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
