import { deleteConfiguration } from '../configuration/bucket-configuration.ts';

export const deleteBucketLifecycle = deleteConfiguration({
  subresource: 'lifecycle',
  noun: 'BucketLifecycle',
});
