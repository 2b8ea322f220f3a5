import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import type { RunParts } from '../../run/run-id.ts';
import { toRunId } from '../../run/run-id.ts';

/** `freezing`: a generation's files are being listed; what is uploaded from now on may belong to the next. */
const FreezingMark = z.object({
  schema: z.literal(1),
  run: z.string(),
  executionArn: z.string(),
  at: z.iso.datetime(),
  /** Whether files still came when drop.maxWaitMinutes were over; marks of the release before do not say. */
  isCut: z.boolean().default(false),
});

/** Leaves the mark, unless it is there. */
export async function markFreezing(
  store: ObjectStore,
  run: RunParts,
  { at, ...facts }: { readonly executionArn: string; readonly at: Date; readonly isCut: boolean },
): Promise<void> {
  const mark: z.infer<typeof FreezingMark> = { schema: 1, run: toRunId(run), ...facts, at: at.toISOString() };
  await store.createIfAbsent(bucketLayout.freezing(run), JSON.stringify(mark), {
    contentType: 'application/json',
  });
}

/** Whether a generation was frozen though files still came; a rerun, which waits for nothing, was not. */
export async function isCutShort(store: ObjectStore, run: RunParts): Promise<boolean> {
  const text = await store.readText(bucketLayout.freezing(run));
  return text !== undefined && FreezingMark.parse(JSON.parse(text)).isCut;
}
