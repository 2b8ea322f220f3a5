import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { writeJson } from '../records/run-file.ts';

/** `state/sweep.json`: how far the daily sweep has come. */
const SweepPosition = z.object({
  schema: z.literal(1),
  /** When the last pass over all drops began that came to its end. */
  lastPassAt: z.iso.datetime().optional(),
  /** The pass that is under way: when it began, and the key after which it goes on. */
  pass: z.object({ startedAt: z.iso.datetime(), after: z.string() }).optional(),
});
export type SweepPosition = z.infer<typeof SweepPosition>;

/** Where the last sweep stopped; undefined before the first sweep. */
export async function readSweepPosition(store: ObjectStore): Promise<SweepPosition> {
  const text = await store.readText(bucketLayout.sweep());
  return text === undefined ? { schema: 1 } : SweepPosition.parse(JSON.parse(text));
}

export function writeSweepPosition(store: ObjectStore, position: SweepPosition): Promise<void> {
  return writeJson(store, bucketLayout.sweep(), position);
}
