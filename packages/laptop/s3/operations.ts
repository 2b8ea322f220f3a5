import { abortMultipartUpload } from './actions/abort-multipart-upload.ts';
import { completeMultipartUpload } from './actions/complete-multipart-upload.ts';
import { copyObject } from './actions/copy-object.ts';
import { createBucket } from './actions/create-bucket.ts';
import { createMultipartUpload } from './actions/create-multipart-upload.ts';
import { deleteBucketEncryption } from './actions/delete-bucket-encryption.ts';
import { deleteBucketLifecycle } from './actions/delete-bucket-lifecycle.ts';
import { deleteBucketOwnershipControls } from './actions/delete-bucket-ownership-controls.ts';
import { deleteBucketPolicy } from './actions/delete-bucket-policy.ts';
import { deleteBucketTagging } from './actions/delete-bucket-tagging.ts';
import { deleteBucket } from './actions/delete-bucket.ts';
import { deleteObjectTagging } from './actions/delete-object-tagging.ts';
import { deleteObject } from './actions/delete-object.ts';
import { deleteObjects } from './actions/delete-objects.ts';
import { deletePublicAccessBlock } from './actions/delete-public-access-block.ts';
import { getBucketEncryption } from './actions/get-bucket-encryption.ts';
import { getBucketLifecycleConfiguration } from './actions/get-bucket-lifecycle-configuration.ts';
import { getBucketLocation } from './actions/get-bucket-location.ts';
import { getBucketNotificationConfiguration } from './actions/get-bucket-notification-configuration.ts';
import { getBucketOwnershipControls } from './actions/get-bucket-ownership-controls.ts';
import { getBucketPolicy } from './actions/get-bucket-policy.ts';
import { getBucketTagging } from './actions/get-bucket-tagging.ts';
import { getBucketVersioning } from './actions/get-bucket-versioning.ts';
import { getObjectAttributes } from './actions/get-object-attributes.ts';
import { getObjectTagging } from './actions/get-object-tagging.ts';
import { getObject } from './actions/get-object.ts';
import { getPublicAccessBlock } from './actions/get-public-access-block.ts';
import { headBucket } from './actions/head-bucket.ts';
import { headObject } from './actions/head-object.ts';
import { listBuckets } from './actions/list-buckets.ts';
import { listMultipartUploads } from './actions/list-multipart-uploads.ts';
import { listObjectVersions } from './actions/list-object-versions.ts';
import { listObjectsV2 } from './actions/list-objects-v2.ts';
import { listObjects } from './actions/list-objects.ts';
import { listParts } from './actions/list-parts.ts';
import { putBucketEncryption } from './actions/put-bucket-encryption.ts';
import { putBucketLifecycleConfiguration } from './actions/put-bucket-lifecycle-configuration.ts';
import { putBucketNotificationConfiguration } from './actions/put-bucket-notification-configuration.ts';
import { putBucketOwnershipControls } from './actions/put-bucket-ownership-controls.ts';
import { putBucketPolicy } from './actions/put-bucket-policy.ts';
import { putBucketTagging } from './actions/put-bucket-tagging.ts';
import { putBucketVersioning } from './actions/put-bucket-versioning.ts';
import { putObjectTagging } from './actions/put-object-tagging.ts';
import { putObject } from './actions/put-object.ts';
import { putPublicAccessBlock } from './actions/put-public-access-block.ts';
import { uploadPartCopy } from './actions/upload-part-copy.ts';
import { uploadPart } from './actions/upload-part.ts';
import type { S3Operation } from './operation.ts';

/** Every call that this S3 answers. */
export const operations: readonly S3Operation[] = [
  abortMultipartUpload,
  completeMultipartUpload,
  copyObject,
  createBucket,
  createMultipartUpload,
  deleteBucketEncryption,
  deleteBucketLifecycle,
  deleteBucketOwnershipControls,
  deleteBucketPolicy,
  deleteBucketTagging,
  deleteBucket,
  deleteObjectTagging,
  deleteObject,
  deleteObjects,
  deletePublicAccessBlock,
  getBucketEncryption,
  getBucketLifecycleConfiguration,
  getBucketLocation,
  getBucketNotificationConfiguration,
  getBucketOwnershipControls,
  getBucketPolicy,
  getBucketTagging,
  getBucketVersioning,
  getObjectAttributes,
  getObjectTagging,
  getObject,
  getPublicAccessBlock,
  headBucket,
  headObject,
  listBuckets,
  listMultipartUploads,
  listObjectVersions,
  listObjectsV2,
  listObjects,
  listParts,
  putBucketEncryption,
  putBucketLifecycleConfiguration,
  putBucketNotificationConfiguration,
  putBucketOwnershipControls,
  putBucketPolicy,
  putBucketTagging,
  putBucketVersioning,
  putObjectTagging,
  putObject,
  putPublicAccessBlock,
  uploadPartCopy,
  uploadPart,
];
