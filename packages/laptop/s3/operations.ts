import { bucketOperations } from './actions/buckets.ts';
import { completeMultipartUpload } from './actions/complete-multipart-upload.ts';
import { copyObject } from './actions/copy-object.ts';
import { deleteOperations } from './actions/delete-objects.ts';
import { listOperations } from './actions/list-objects.ts';
import { multipartOperations } from './actions/multipart-uploads.ts';
import { putObject } from './actions/put-object.ts';
import { readOperations } from './actions/read-object.ts';
import { partOperations } from './actions/upload-part.ts';
import { configurationOperations } from './configuration/configuration-operations.ts';
import type { S3Operation } from './operation.ts';

/** Every call that this S3 answers. */
export const operations: readonly S3Operation[] = [
  ...configurationOperations,
  ...multipartOperations,
  completeMultipartUpload,
  copyObject,
  ...bucketOperations,
  ...deleteOperations,
  ...readOperations,
  ...listOperations,
  putObject,
  ...partOperations,
];
