import { abortMultipartUpload } from './actions/abort-multipart-upload.ts';
import { completeMultipartUpload } from './actions/complete-multipart-upload.ts';
import { copyObject } from './actions/copy-object.ts';
import { createBucket } from './actions/create-bucket.ts';
import { createMultipartUpload } from './actions/create-multipart-upload.ts';
import { deleteBucket } from './actions/delete-bucket.ts';
import { deleteObject } from './actions/delete-object.ts';
import { deleteObjects } from './actions/delete-objects.ts';
import { getBucketLocation } from './actions/get-bucket-location.ts';
import { getBucketPolicy } from './actions/get-bucket-policy.ts';
import { getObject } from './actions/get-object.ts';
import { getObjectTagging } from './actions/get-object-tagging.ts';
import { headBucket } from './actions/head-bucket.ts';
import { headObject } from './actions/head-object.ts';
import { listBuckets } from './actions/list-buckets.ts';
import { listMultipartUploads } from './actions/list-multipart-uploads.ts';
import { listObjectVersions } from './actions/list-object-versions.ts';
import { listObjects } from './actions/list-objects.ts';
import { listObjectsV2 } from './actions/list-objects-v2.ts';
import { listParts } from './actions/list-parts.ts';
import { putBucketPolicy } from './actions/put-bucket-policy.ts';
import { putObject } from './actions/put-object.ts';
import { uploadPart } from './actions/upload-part.ts';
import { uploadPartCopy } from './actions/upload-part-copy.ts';
import { configurationOperations } from './configuration/configuration-operations.ts';
import type { S3Operation } from './operation.ts';

/** Every call that this S3 answers. */
export const operations: readonly S3Operation[] = [
  ...configurationOperations,
  abortMultipartUpload,
  completeMultipartUpload,
  copyObject,
  createBucket,
  createMultipartUpload,
  deleteBucket,
  deleteObject,
  deleteObjects,
  getBucketLocation,
  getBucketPolicy,
  getObjectTagging,
  getObject,
  headBucket,
  headObject,
  listBuckets,
  listMultipartUploads,
  listObjectVersions,
  listObjectsV2,
  listObjects,
  listParts,
  putBucketPolicy,
  putObject,
  uploadPartCopy,
  uploadPart,
];
