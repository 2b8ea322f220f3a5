import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { encryption } from '../configuration/encryption.ts';

export const putBucketEncryption = putConfiguration(encryption);
