import * as z from 'zod';

/** Checksums that this S3 verifies and keeps, in the API's spelling. */
export const CHECKSUM_ALGORITHMS = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
/** One of `CHECKSUM_ALGORITHMS`. */
export const ChecksumAlgorithm = z.enum(CHECKSUM_ALGORITHMS);
export type ChecksumAlgorithm = z.infer<typeof ChecksumAlgorithm>;

/** A stretch of a body file. A copied or multipart object shares files with others instead of repeating their bytes. */
export const Segment = z.object({ id: z.string(), offset: z.number(), size: z.number() });
export type Segment = z.infer<typeof Segment>;

/** Base64, and whether it is of the whole object or of its parts' checksums. */
export const Checksum = z.object({
  algorithm: ChecksumAlgorithm,
  value: z.string(),
  type: z.enum(['FULL_OBJECT', 'COMPOSITE']),
});
export type Checksum = z.infer<typeof Checksum>;

/** Description of an object that a client gives and gets back with it. */
export const ObjectDescription = z.object({
  /** Stored HTTP headers by lower-case name: content-type, cache-control, x-amz-server-side-encryption, … */
  headers: z.record(z.string(), z.string()),
  /** User metadata by lower-case name, without `x-amz-meta-`. */
  metadata: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
});
export type ObjectDescription = z.infer<typeof ObjectDescription>;

/** One version of an object, or a delete marker in its place. */
export const ObjectVersion = z.object({
  /** `null` where the bucket does not keep versions. */
  versionId: z.string(),
  deleteMarker: z.literal(true).optional(),
  /** In whole seconds, as S3 keeps it; of a multipart upload, when it was begun. */
  lastModifiedMs: z.number(),
  size: z.number(),
  /** Without quotes. */
  etag: z.string(),
  segments: z.array(Segment),
  checksum: Checksum.optional(),
  /** Only of a multipart object: what GetObjectAttributes and `partNumber` need. */
  parts: z
    .array(
      z.object({
        size: z.number(),
        checksum: z.object({ algorithm: ChecksumAlgorithm, value: z.string() }).optional(),
      }),
    )
    .optional(),
  /** The multipart upload it was made from, so that a completion can be answered again if the answer was lost. */
  uploadId: z.string().optional(),
  ...ObjectDescription.shape,
});
export type ObjectVersion = z.infer<typeof ObjectVersion>;
