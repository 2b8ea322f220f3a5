import {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  type ObjectIdentifier,
  S3Client,
} from '@aws-sdk/client-s3';
import { namedError, withErrorNames } from '../calls/aws-error.ts';

/** Deletes every version and delete marker of every object below a prefix; resolves to their number. */
export type PurgePrefix = (bucket: string, prefix: string) => Promise<number>;

/** Purges page by page until the listing is empty. */
export const purgePrefix: PurgePrefix = async (bucket, prefix) => {
  const forcePathStyle = (process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL) !== undefined;
  const client = new S3Client({ forcePathStyle, followRegionRedirects: true });
  let purged = 0;
  for (;;) {
    const page = await withErrorNames(
      client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix })),
    );
    const Objects: ObjectIdentifier[] = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(
      ({ Key = '', VersionId }) => ({ Key, VersionId }),
    );
    if (Objects.length === 0) return purged;
    const { Errors: [error] = [] } = await withErrorNames(
      client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })),
    );
    if (error !== undefined)
      throw namedError(error.Code ?? 'DeleteFailed', `s3://${bucket}/${error.Key}: ${error.Message}`);
    purged += Objects.length;
  }
};
