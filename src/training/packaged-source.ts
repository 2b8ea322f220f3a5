import * as z from 'zod';

/** `source.json` of a training: the archive of the source that the job gets. */
export const PackagedSource = z.object({
  schema: z.literal(1),
  /** Digest of sourcedir.tar.gz, which equal files always have. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  files: z.int().positive(),
});
export type PackagedSource = z.infer<typeof PackagedSource>;
