import { deleteConfiguration } from '../configuration/bucket-configuration.ts';
import { tagging } from '../configuration/tagging.ts';

export const deleteBucketTagging = deleteConfiguration(tagging);
