import { AwsError } from '../../kernel/aws-error.ts';
import type { S3Call } from '../operation.ts';
import type { ObjectStorage } from '../store/object-storage.ts';
import type { Upload } from '../store/upload.ts';

/** @throws {AwsError} `NoSuchBucket`, `NoSuchUpload` */
export function findUpload(
  { bucket, key, query }: Pick<S3Call, 'bucket' | 'key' | 'query'>,
  { catalog }: ObjectStorage,
): Upload {
  catalog.bucket(bucket);
  const uploadId = query.get('uploadId') ?? '';
  const upload = catalog.uploads.get(uploadId);
  if (upload && upload.bucket === bucket && upload.key === key) return upload;
  throw new AwsError(
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { statusCode: 404, details: { UploadId: uploadId } },
  );
}
