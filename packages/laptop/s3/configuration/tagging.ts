import { Tagging, toTags } from '../object/tags.ts';
import type { BucketConfiguration } from './bucket-configuration.ts';

type TagSet = { readonly TagSet: { readonly Tag: readonly { Key: string; Value: string }[] } };

/** Tags of a bucket. */
export const tagging: BucketConfiguration<TagSet> = {
  ...Tagging,
  subresource: 'tagging',
  noun: 'BucketTagging',
  check: ({ TagSet: { Tag } }) =>
    void toTags(
      Tag.map(({ Key, Value }) => [Key, Value]),
      'Bucket',
    ),
  absent: { code: 'NoSuchTagSet', message: 'The TagSet does not exist' },
};
