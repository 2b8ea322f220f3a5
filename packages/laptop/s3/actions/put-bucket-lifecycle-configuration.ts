import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { lifecycle } from '../configuration/lifecycle.ts';

export const putBucketLifecycleConfiguration = putConfiguration(lifecycle);
