import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { tagging } from '../configuration/tagging.ts';

export const putBucketTagging = putConfiguration(tagging);
