import type { Clock } from '../kernel/clock.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Queue, ReceivedMessage } from '../sqs/queue.ts';
import { unlessThrottled } from './concurrency.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';
import { gatherBatch } from './queue-batch.ts';
import { failedIds, toQueueEvent } from './queue-event.ts';

/** Takes batches from a queue to a function until it is stopped. */
export interface QueuePoller {
  /** Waits for the invocations on their way. */
  stop(): Promise<void>;
}

const RETRY_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 60_000;
/** As Lambda begins; each waits for a free instance anyway. */
const DEFAULT_CONCURRENCY = 5;

/** Starts polling. */
export function startQueuePoller(deps: {
  readonly mapping: EventSourceMapping;
  readonly queue: () => Queue;
  readonly invoke: (payload: Buffer) => Promise<InvokeResult>;
  readonly site: Site;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}): QueuePoller {
  const { mapping, clock } = deps;
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  const concurrency = mapping.maximumConcurrency ?? DEFAULT_CONCURRENCY;

  /** A throttled batch is tried again with growing pauses until its messages show in the queue again; then it is dropped. */
  const invoke = async (
    batch: readonly ReceivedMessage[],
    payload: Buffer,
  ): Promise<InvokeResult | undefined> => {
    const untilMs = Math.min(...batch.map(({ message }) => message.visibleMs));
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_THROTTLE_DELAY_MS)) {
      const result = await unlessThrottled(() => deps.invoke(payload));
      if (result || clock.now() + delayMs >= untilMs) return result;
      await clock.sleep(delayMs, stop.signal);
    }
  };
  const work = async (queue: Queue, batch: readonly ReceivedMessage[]): Promise<void> => {
    const event = toQueueEvent(batch, mapping.queueArn, deps.site);
    const result = await invoke(batch, Buffer.from(JSON.stringify(event)));
    if (result === undefined || result.functionError) return;
    const failed = mapping.reportsItemFailures
      ? failedIds(result.payload.toString('utf8'), batch)
      : new Set();
    for (const { message, receiptHandle } of batch) {
      if (!failed.has(message.id)) queue.delete(receiptHandle);
    }
  };
  const pause = async (error: unknown): Promise<void> => {
    if (stop.signal.aborted) return;
    deps.report(`${mapping.queueArn} → ${mapping.functionTarget}: ${String(error)}`);
    await clock.sleep(RETRY_DELAY_MS, stop.signal).catch(ignoreStop);
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const queue = deps.queue();
        const batch = await gatherBatch(queue, mapping, clock, stop.signal);
        if (batch.length === 0) continue;
        const invocation = work(queue, batch)
          .catch(pause)
          .finally(() => running.delete(invocation));
        running.add(invocation);
        if (running.size >= concurrency) await Promise.race(running);
      } catch (error) {
        await pause(error);
      }
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stop.abort();
      await looping;
      await Promise.all(running);
    },
  };
}

function ignoreStop(): void {}
