import type * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../drop/bucket-layout.ts';
import type { RunParts } from '../../drop/run-id.ts';
import { ReconciledEntry } from '../transform/reconciled-entry.ts';

/** A line of `reconciled.jsonl` as far as folding asks: checking five thousand times of day would take as long as reading them. */
const ShardEntry = ReconciledEntry.omit({ lastModified: true });
export type ShardEntry = z.infer<typeof ShardEntry>;

/** The entries whose lines lie in a range of bytes, `end` exclusive; undefined where the file is not there. */
export async function readShardEntries(
  store: ObjectStore,
  run: RunParts,
  { start, end }: { readonly start: number; readonly end: number },
  most = Infinity,
): Promise<ShardEntry[] | undefined> {
  if (start === end) return [];
  const bytes = await store.readBytes(bucketLayout.reconciled(run), { start, end });
  if (bytes === undefined) return undefined;
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.slice(0, most).flatMap((line) => (line === '' ? [] : ShardEntry.parse(JSON.parse(line))));
}
