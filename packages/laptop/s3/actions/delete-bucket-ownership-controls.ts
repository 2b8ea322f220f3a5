import { deleteConfiguration } from '../configuration/bucket-configuration.ts';
import { ownershipControls } from '../configuration/ownership-controls.ts';

export const deleteBucketOwnershipControls = deleteConfiguration(ownershipControls);
