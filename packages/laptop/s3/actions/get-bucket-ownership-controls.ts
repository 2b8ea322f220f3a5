import { getConfiguration } from '../configuration/bucket-configuration.ts';
import { ownershipControls } from '../configuration/ownership-controls.ts';

export const getBucketOwnershipControls = getConfiguration(ownershipControls);
