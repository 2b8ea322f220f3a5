import type * as z from 'zod';
import { ReconciledEntry } from '../transform/reconciled-entry.ts';

/** A line of `reconciled.jsonl` as far as folding asks: checking five thousand times of day would take as long as reading them. */
export const FoldedEntry = ReconciledEntry.omit({ lastModified: true });
export type FoldedEntry = z.infer<typeof FoldedEntry>;
