import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { ownershipControls } from '../configuration/ownership-controls.ts';

export const putBucketOwnershipControls = putConfiguration(ownershipControls);
