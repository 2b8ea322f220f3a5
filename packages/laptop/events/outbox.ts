import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { openPendingEntries } from '../storage/pending-entries.ts';

const EventEnvelope = z.object({
  version: z.literal('0'),
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  account: z.string(),
  /** ISO 8601, to the second. */
  time: z.string(),
  region: z.string(),
  resources: z.array(z.string()),
  detail: z.record(z.string(), z.unknown()),
});
/** An event as it is on the bus. */
export type EventEnvelope = z.infer<typeof EventEnvelope>;

const Pending = z.object({ id: z.string(), rule: z.string(), target: z.string(), event: EventEnvelope });
type Pending = z.infer<typeof Pending>;

/** An event on its way to a target of a rule, both by their names. */
export type Posted = Omit<Pending, 'id'>;

/** Events on their way to targets, on disk until delivered or given up: the end of the stack loses none of them. */
export interface Outbox {
  /** Sets it on its way. */
  post(posted: Posted): void;
  /** Resolves when all that was posted is on disk. */
  written(): Promise<void>;
  /** Sets on its way what an earlier process left. */
  start(): void;
  /** Undelivered events stay on disk. Call it when deliveries have stopped. */
  close(): void;
}

/**
 * Opens the events kept in `dir`.
 *
 * @param deliver resolves with false where the event is to be delivered again at the next start
 */
export function openOutbox(dir: string, deliver: (posted: Posted) => Promise<boolean>): Outbox {
  const pending = openPendingEntries(join(dir, 'outbox.jsonl'), Pending);
  let isClosed = false;
  const left = [...pending.values()];
  const send = async (entry: Pending): Promise<void> => {
    if ((await deliver(entry)) && !isClosed) pending.done(entry.id);
  };
  return {
    post: (posted) => {
      const entry = { id: randomUUID(), ...posted };
      pending.add(entry);
      void send(entry);
    },
    written: () => pending.written(),
    start: () => {
      for (const entry of left.splice(0)) void send(entry);
    },
    close: () => {
      isClosed = true;
      pending.close();
    },
  };
}
