import type { Clock } from '../kernel/clock.ts';
import type { Queue, ReceivedMessage } from '../sqs/queue.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';

const LONG_POLL_MS = 20_000;
/** Lambda's limit for an invocation's payload; a batch stops before it. */
const MAX_PAYLOAD_BYTES = 6_291_456;
/** Size of a message's event without its body, roughly. */
const ENVELOPE_BYTES = 700;

/** Waits for a first message, then gathers until the batch is full, large, or the window is over. */
export async function gatherBatch(
  queue: Queue,
  { batchSize, windowSeconds }: EventSourceMapping,
  clock: Clock,
  signal: AbortSignal,
): Promise<ReceivedMessage[]> {
  const batch: ReceivedMessage[] = [];
  let sizeBytes = 0;
  let untilMs = 0;
  while (batch.length < batchSize && sizeBytes < MAX_PAYLOAD_BYTES && !signal.aborted) {
    const waitMs = batch.length === 0 ? LONG_POLL_MS : untilMs - clock.now();
    if (batch.length > 0 && waitMs <= 0) break;
    // One at a time near the size limit, so that a batch never outgrows it.
    const max = Math.min(batchSize - batch.length, sizeBytes === 0 ? 10 : room(sizeBytes, batch.length));
    const received = await queue.receive({ max, waitMs, signal, endsWithStack: true });
    if (received.length === 0 && batch.length > 0) break;
    if (batch.length === 0) untilMs = clock.now() + windowSeconds * 1000;
    for (const each of received)
      sizeBytes += Buffer.byteLength(JSON.stringify(each.message.body)) + ENVELOPE_BYTES;
    batch.push(...received);
  }
  return batch;
}

/** How many more messages of the batch's mean size fit; at least one. */
function room(sizeBytes: number, count: number): number {
  return Math.max(1, Math.min(1000, Math.floor((MAX_PAYLOAD_BYTES - sizeBytes) / (sizeBytes / count))));
}
