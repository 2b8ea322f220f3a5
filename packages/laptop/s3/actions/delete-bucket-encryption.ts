import { deleteConfiguration } from '../configuration/bucket-configuration.ts';
import { encryption } from '../configuration/encryption.ts';

export const deleteBucketEncryption = deleteConfiguration(encryption);
