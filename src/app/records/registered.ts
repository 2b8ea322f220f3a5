import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `registered.json`: the archive that a training made, stored under its digest. */
const Registered = z.object({
  schema: z.literal(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  /** S3 URI of the archive that the job left. */
  artifact: z.string(),
  /** Name of the training job. */
  job: z.string(),
  /** Files of the source that were laid below `code/`; empty where the archive has its own handler or the source has none. */
  addedCode: z.array(z.string()),
  /** Inputs that have changed since they were frozen: which version the job read is unknown. */
  changedInputs: z.object({
    superseded: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
    /** Files that came below a prefix which the job read after it had been frozen. */
    arrived: z.int().nonnegative(),
  }),
});
export type Registered = z.infer<typeof Registered>;

/** Written by register-model; a repetition of the step writes the same. */
export const registeredJson = jsonDocument({
  key: bucketLayout.registered,
  schema: Registered,
  write: 'replace',
  indent: 2,
});
