import * as z from 'zod';

/** One input of a run as it was when the manifest was frozen. A key with its ETag and LastModified is one version of a file. */
export const ManifestEntry = z.object({
  key: z.string(),
  /** In bytes. */
  size: z.number().int().nonnegative(),
  /** Without quotes. */
  etag: z.string(),
  /** UTC, ISO 8601. */
  lastModified: z.iso.datetime(),
  /** Present on zero-byte objects, which never reach the model. */
  empty: z.literal(true).optional(),
});
export type ManifestEntry = z.infer<typeof ManifestEntry>;
