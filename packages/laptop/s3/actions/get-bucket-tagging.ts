import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { tagging } from '../configuration/tagging.ts';

export const getBucketTagging = getConfiguration(tagging);
