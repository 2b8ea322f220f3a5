import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

/** Short-lived links to objects that need no credentials. */
export type PresignedLinks = (key: string) => Promise<string>;

let client: S3Client | undefined;

/** Links to objects of a bucket, valid for `seconds`. */
export function presignedLinks({
  bucket,
  seconds,
}: {
  readonly bucket: string;
  readonly seconds: number;
}): PresignedLinks {
  const forcePathStyle = (process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL) !== undefined;
  return (key) => {
    client ??= new S3Client({ forcePathStyle });
    return getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds });
  };
}
