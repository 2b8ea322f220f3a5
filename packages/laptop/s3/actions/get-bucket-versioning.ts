import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { versioning } from '../configuration/versioning.ts';

export const getBucketVersioning = getConfiguration(versioning);
