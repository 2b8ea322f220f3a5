import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import type { XmlForm } from '../xml/read-xml.ts';

/** Limits of S3's manual, for each object and each bucket. */
const MAX_TAGS = { Object: 10, Bucket: 50 } as const;

/** The body of PutObjectTagging and PutBucketTagging. */
export const Tagging: XmlForm<{
  readonly TagSet: { readonly Tag: readonly { Key: string; Value: string }[] };
}> = {
  root: 'Tagging',
  lists: ['Tag'],
  schema: z.strictObject({
    // An empty `<TagSet/>` arrives as an empty text.
    TagSet: z.preprocess(
      (value) => (value === '' ? {} : value),
      z.strictObject({ Tag: z.array(z.strictObject({ Key: z.string(), Value: z.string() })).default([]) }),
    ),
  }),
};

/** @throws {AwsError} `BadRequest` for too many, `InvalidTag` if S3 doesn't allow one */
export function toTags(
  pairs: readonly (readonly [string, string])[],
  owner: keyof typeof MAX_TAGS = 'Object',
): Record<string, string> {
  const most = MAX_TAGS[owner];
  if (pairs.length > most)
    throw new AwsError('BadRequest', `${owner} tags cannot be greater than ${most}, are ${pairs.length}`);
  const tags: Record<string, string> = {};
  for (const [key, value] of pairs) {
    if (key === '' || key.length > 128)
      throw invalid(`The TagKey must have 1..128 characters, is ${key.length}`);
    if (value.length > 256)
      throw invalid(`The TagValue of ${key} must have at most 256 characters, is ${value.length}`);
    if (Object.hasOwn(tags, key)) throw invalid(`Cannot provide multiple Tags with the same key: ${key}`);
    tags[key] = value;
  }
  return tags;
}

/** Reads `x-amz-tagging`, which has the form of a query. */
export function parseTagHeader(header: string | undefined): Record<string, string> {
  return header === undefined ? {} : toTags([...new URLSearchParams(header)]);
}

/** The members of a Tagging document. */
export function toTagSet(tags: Readonly<Record<string, string>>): {
  readonly TagSet: { readonly Tag: { Key: string; Value: string }[] };
} {
  return { TagSet: { Tag: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })) } };
}

function invalid(message: string): AwsError {
  return new AwsError('InvalidTag', message);
}
