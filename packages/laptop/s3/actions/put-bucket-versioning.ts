import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { versioning } from '../configuration/versioning.ts';

export const putBucketVersioning = putConfiguration(versioning);
