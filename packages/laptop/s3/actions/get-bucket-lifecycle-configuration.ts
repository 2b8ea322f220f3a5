import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { lifecycle } from '../configuration/lifecycle.ts';

export const getBucketLifecycleConfiguration = getConfiguration(lifecycle);
