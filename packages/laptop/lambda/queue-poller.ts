import type { Clock } from '../kernel/clock.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Queue, ReceivedMessage } from '../sqs/queue.ts';
import { unlessThrottled } from './concurrency.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import { failedIds, toQueueEvent } from './queue-event.ts';

const RETRY_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 60_000;
/** Pollers that Lambda begins with; each waits for a free instance anyway. */
const DEFAULT_CONCURRENCY = 5;

interface PollerOptions {
  readonly mapping: EventSourceMapping;
  readonly queue: () => Queue;
  readonly invoke: (payload: Buffer) => Promise<InvokeResult>;
  readonly site: Site;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}

/** Takes batches from a queue to a function until it is stopped. */
export class QueuePoller {
  readonly #options: PollerOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #looping: Promise<void>;

  constructor(options: PollerOptions) {
    this.#options = options;
    this.#looping = this.#loop();
  }

  /** Waits for the invocations on their way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#looping;
    await Promise.all(this.#running);
  }

  async #loop(): Promise<void> {
    const { mapping, clock } = this.#options;
    const { signal } = this.#stop;
    const concurrency = mapping.maximumConcurrency ?? DEFAULT_CONCURRENCY;
    while (!signal.aborted) {
      try {
        const queue = this.#options.queue();
        const batch = await gatherBatch(queue, mapping, clock, signal);
        if (batch.length === 0) continue;
        const invocation = this.#work(queue, batch)
          .catch((error: unknown) => this.#pause(error))
          .finally(() => this.#running.delete(invocation));
        this.#running.add(invocation);
        if (this.#running.size >= concurrency) await Promise.race(this.#running);
      } catch (error) {
        await this.#pause(error);
      }
    }
  }

  async #work(queue: Queue, batch: readonly ReceivedMessage[]): Promise<void> {
    const { mapping, site } = this.#options;
    const event = toQueueEvent(batch, mapping.queueArn, site);
    const result = await this.#invoke(batch, Buffer.from(JSON.stringify(event)));
    if (result === undefined || result.functionError) return;
    const failed = mapping.reportsItemFailures
      ? failedIds(result.payload.toString('utf8'), batch)
      : new Set();
    for (const { message, receiptHandle } of batch) {
      if (!failed.has(message.id)) queue.delete(receiptHandle);
    }
  }

  /** A throttled batch is tried again with growing pauses until its messages show in the queue again; then it is dropped. */
  async #invoke(batch: readonly ReceivedMessage[], payload: Buffer): Promise<InvokeResult | undefined> {
    const { invoke, clock } = this.#options;
    const untilMs = Math.min(...batch.map(({ message }) => message.visibleMs));
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_THROTTLE_DELAY_MS)) {
      const result = await unlessThrottled(() => invoke(payload));
      if (result || clock.now() + delayMs >= untilMs) return result;
      await clock.sleep(delayMs, this.#stop.signal);
    }
  }

  async #pause(error: unknown): Promise<void> {
    const { mapping, report, clock } = this.#options;
    if (this.#stop.signal.aborted) return;
    report(`${mapping.queueArn} → ${mapping.functionTarget}: ${String(error)}`);
    await clock.sleep(RETRY_DELAY_MS, this.#stop.signal).catch(() => undefined);
  }
}

const LONG_POLL_MS = 20_000;
/** Lambda's limit for an invocation's payload; a batch stops before it. */
const MAX_PAYLOAD_BYTES = 6_291_456;
/** Size of a message's event without its body, roughly. */
const ENVELOPE_BYTES = 700;

/** Waits for a first message, then gathers until the batch is full, large, or the window is over. */
async function gatherBatch(
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
