import { AwsError } from '../../kernel/aws-error.ts';
import { invalidArgument } from '../listing/page-parameters.ts';
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

const MAX_PART_NUMBER = 10_000;

/** @throws {AwsError} `InvalidArgument` */
export function parsePartNumber(query: URLSearchParams): number {
  const text = query.get('partNumber') ?? '';
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= MAX_PART_NUMBER) return number;
  throw invalidArgument('partNumber', text, `1..${MAX_PART_NUMBER}`);
}
