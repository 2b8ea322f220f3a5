import * as z from 'zod';
import { ObjectVersion } from './object-version.ts';
import { UploadPart, UploadStart } from './upload.ts';

/** One change of the metadata: a line of the journal. Replaying all lines in order gives the state. */
export const JournalEntry = z.discriminatedUnion('op', [
  z.object({ op: z.literal('create-bucket'), bucket: z.string(), createdMs: z.number() }),
  z.object({ op: z.literal('delete-bucket'), bucket: z.string() }),
  /** A value of null removes the configuration. */
  z.object({ op: z.literal('configure'), bucket: z.string(), name: z.string(), value: z.unknown() }),
  /** The version becomes the newest of its key; one of the same id is replaced. */
  z.object({ op: z.literal('put'), bucket: z.string(), key: z.string(), version: ObjectVersion }),
  z.object({ op: z.literal('remove'), bucket: z.string(), key: z.string(), versionId: z.string() }),
  z.object({ op: z.literal('begin-upload'), upload: UploadStart }),
  z.object({ op: z.literal('put-part'), uploadId: z.string(), number: z.number(), part: UploadPart }),
  z.object({ op: z.literal('end-upload'), uploadId: z.string() }),
]);
export type JournalEntry = z.infer<typeof JournalEntry>;
