import * as z from 'zod';
import { ChecksumAlgorithm, ObjectDescription, Segment } from './object-version.ts';

/** A part of a multipart upload, as the journal keeps it. */
export const UploadPart = z.object({
  size: z.number(),
  /** MD5 in hexadecimal, without quotes. */
  etag: z.string(),
  lastModifiedMs: z.number(),
  segments: z.array(Segment),
  checksum: z.object({ algorithm: ChecksumAlgorithm, value: z.string() }).optional(),
});
export type UploadPart = z.infer<typeof UploadPart>;

/** A multipart upload between its creation and its completion, without its parts. */
export const UploadStart = z.object({
  uploadId: z.string(),
  bucket: z.string(),
  key: z.string(),
  initiatedMs: z.number(),
  checksumAlgorithm: ChecksumAlgorithm.optional(),
  checksumType: z.enum(['FULL_OBJECT', 'COMPOSITE']).optional(),
  ...ObjectDescription.shape,
});
export type UploadStart = z.infer<typeof UploadStart>;

/** A multipart upload with the parts that have come, by part number. */
export interface Upload extends UploadStart {
  readonly parts: Map<number, UploadPart>;
}
