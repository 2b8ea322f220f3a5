import * as z from 'zod';

/** Limit of the tags of one resource. */
export const MAX_TAGS = 50;

/** Tags of a resource; a key that is given twice, or begins with `aws:`, is refused. */
export const Tags = z
  .array(z.strictObject({ Key: z.string(), Value: z.string() }))
  .superRefine((tags, context) => {
    const keys = tags.map(({ Key }) => Key);
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    if (twice !== undefined)
      context.addIssue({ code: 'custom', message: `Duplicate tag keys found: ${twice}` });
    const reserved = keys.find((key) => /^aws:/i.test(key));
    if (reserved !== undefined)
      context.addIssue({
        code: 'custom',
        message: `Tag keys that begin with aws: are reserved: ${reserved}`,
      });
  });
export type Tags = z.infer<typeof Tags>;

/** Later values replace earlier ones of the same key; order of first appearance. */
export function mergeTags(...lists: readonly Tags[]): Tags {
  return [...new Map(lists.flat().map((tag) => [tag.Key, tag.Value]))].map(([Key, Value]) => ({
    Key,
    Value,
  }));
}
