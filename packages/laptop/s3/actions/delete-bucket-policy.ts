import { deleteConfiguration } from '../configuration/bucket-configuration.ts';

export const deleteBucketPolicy = deleteConfiguration({ subresource: 'policy', noun: 'BucketPolicy' });
