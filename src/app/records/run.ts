import * as z from 'zod';
import type { ObjectStore } from '../../aws/s3/object-store.ts';
import { DropProblem } from '../../drop/frozen.ts';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { RunId, type RunParts, toRunId } from '../../run/run-id.ts';
import { jsonDocument } from './document.ts';

/** `problems.json`: everything that keeps a run from starting. */
const Problems = z.object({ schema: z.literal(1), problems: z.array(DropProblem).readonly() });

/** `problems.json`: everything that PlanRun refused a run for. */
export const problemsJson = jsonDocument({
  key: bucketLayout.problems,
  schema: Problems,
  write: 'replace',
  indent: 2,
});

/** `message.json`: claimed before the message is sent, and complete with an id after. */
const StoredMessage = z.object({
  schema: z.literal(1),
  subject: z.string(),
  body: z.string(),
  attributes: z.record(z.string(), z.string()),
  claimedAt: z.iso.datetime(),
  messageId: z.string().optional(),
  sentAt: z.iso.datetime().optional(),
  /** It's not sent: a later message counts it along with others. */
  isJoined: z.boolean().optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

/** Its creation is the claim; the holder of the claim, or a later one that finds it expired, overwrites it. */
export const messageJson = jsonDocument({
  key: bucketLayout.message,
  schema: StoredMessage,
  write: 'exchange',
});

/** `ended.json`: the run is over and its message sent, so that the next generation may freeze. */
const Ended = z.object({ schema: z.literal(1), run: RunId, status: z.string(), endedAt: z.iso.datetime() });

/** How a run ended; its creation frees what waits for the end. */
export const endedJson = jsonDocument({ key: bucketLayout.ended, schema: Ended, write: 'once' });

/** Marks a run as ended, unless it is marked. */
export async function markEnded(store: ObjectStore, run: RunParts, status: string, at: Date): Promise<void> {
  await endedJson(run).create(store, { schema: 1, run: toRunId(run), status, endedAt: at.toISOString() });
}
