import * as z from 'zod';
import { ManifestEntry } from '../../drop/manifest-entry.ts';

/** A line of `reconciled.jsonl`: an input with the key of its output, or with the reason why it has none. */
export const ReconciledEntry = ManifestEntry.omit({ empty: true }).extend({
  output: z.string().optional(),
  error: z.string().optional(),
  detail: z.string().optional(),
});
export type ReconciledEntry = z.infer<typeof ReconciledEntry>;
