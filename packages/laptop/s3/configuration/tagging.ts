import { Tagging } from '../object/tags.ts';
import type { BucketConfiguration } from './bucket-configuration.ts';

type TagSet = { readonly TagSet: { readonly Tag: readonly { Key: string; Value: string }[] } };

export const tagging: BucketConfiguration<TagSet> = {
  ...Tagging,
  subresource: 'tagging',
  noun: 'BucketTagging',
  absent: { code: 'NoSuchTagSet', message: 'The TagSet does not exist' },
};
