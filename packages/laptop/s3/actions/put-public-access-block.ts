import { putConfiguration } from '../configuration/bucket-configuration.ts';
import { publicAccessBlock } from '../configuration/public-access-block.ts';

export const putPublicAccessBlock = putConfiguration(publicAccessBlock);
