import type { XmlValue } from '../../kernel/xml.ts';
import type { S3Operation } from '../operation.ts';
import {
  type BucketConfiguration,
  deleteConfiguration,
  getConfiguration,
  putConfiguration,
} from './bucket-configuration.ts';
import {
  encryption,
  notification,
  ownershipControls,
  publicAccessBlock,
  tagging,
  versioning,
} from './configurations.ts';
import { lifecycle } from './lifecycle.ts';

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
