import * as z from 'zod';
import type { ObjectStore } from '../../aws/object-store.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** `ended.json`: the run is over and its message sent, so that the next generation may freeze. */
const Ended = z.object({ schema: z.literal(1), run: RunId, status: z.string(), endedAt: z.iso.datetime() });

const endedJson = jsonDocument({ key: bucketLayout.ended, schema: Ended, write: 'once' });

/** Marks a run as ended, unless it is marked. */
export async function markEnded(store: ObjectStore, run: RunParts, status: string, at: Date): Promise<void> {
  await endedJson(run).create(store, { schema: 1, run: toRunId(run), status, endedAt: at.toISOString() });
}
