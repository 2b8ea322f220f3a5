import type { XmlValue } from '../../kernel/xml.ts';
import type { S3Operation } from '../operation.ts';
import {
  type BucketConfiguration,
  deleteConfiguration,
  getConfiguration,
  putConfiguration,
} from './bucket-configuration.ts';
import { encryption } from './encryption.ts';
import { lifecycle } from './lifecycle.ts';
import { notification } from './notification.ts';
import { ownershipControls } from './ownership-controls.ts';
import { publicAccessBlock } from './public-access-block.ts';
import { tagging } from './tagging.ts';
import { versioning } from './versioning.ts';

const putAndGet = <T extends XmlValue>(configuration: BucketConfiguration<T>): readonly S3Operation[] => [
  putConfiguration(configuration),
  getConfiguration(configuration),
];
const putGetAndDelete = <T extends XmlValue>(
  configuration: BucketConfiguration<T>,
): readonly S3Operation[] => [...putAndGet(configuration), deleteConfiguration(configuration)];

/** The calls that do nothing but put, get or delete one configuration of a bucket. */
export const configurationOperations: readonly S3Operation[] = [
  ...putGetAndDelete(encryption),
  ...putAndGet(lifecycle),
  deleteConfiguration({ subresource: 'lifecycle', noun: 'BucketLifecycle' }),
  ...putAndGet(notification),
  ...putGetAndDelete(ownershipControls),
  deleteConfiguration({ subresource: 'policy', noun: 'BucketPolicy' }),
  ...putGetAndDelete(publicAccessBlock),
  ...putGetAndDelete(tagging),
  ...putAndGet(versioning),
];
