import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { encryption } from '../configuration/encryption.ts';

export const getBucketEncryption = getConfiguration(encryption);
