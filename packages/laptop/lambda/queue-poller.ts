import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { Queue, ReceivedMessage } from '../sqs/queue.ts';
import { bodyMd5, type MessageAttributes } from '../sqs/queue-message.ts';
import { toSystemAttributes } from '../sqs/system-attributes.ts';
import type { EventSourceMapping } from './event-source-mapping.ts';

/** Takes batches from a queue to a function until it is stopped. */
export interface QueuePoller {
  /** Waits for the invocations on their way. */
  stop(): Promise<void>;
}

const LONG_POLL_MS = 20_000;
/** Lambda's limit for an invocation's payload; a batch ends before it. */
const MAX_PAYLOAD_BYTES = 6_291_456;
/** What a message's event has beside its body, roughly. */
const ENVELOPE_BYTES = 700;
const RETRY_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 60_000;
/** As Lambda begins; each waits for a free instance anyway. */
const DEFAULT_CONCURRENCY = 5;

const BatchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/** Starts polling. */
export function startQueuePoller(deps: {
  readonly mapping: EventSourceMapping;
  readonly queue: () => Queue;
  readonly invoke: (payload: Buffer) => Promise<InvokeResult>;
  readonly site: Site;
  readonly clock: Clock;
  readonly report: (line: string) => void;
}): QueuePoller {
  const { mapping, clock, report } = deps;
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  const concurrency = mapping.maximumConcurrency ?? DEFAULT_CONCURRENCY;

  /** Waits for a first message, then gathers until the batch is full, large, or the window is over. */
  const gather = async (queue: Queue): Promise<ReceivedMessage[]> => {
    const batch: ReceivedMessage[] = [];
    let sizeBytes = 0;
    let untilMs = 0;
    while (batch.length < mapping.batchSize && sizeBytes < MAX_PAYLOAD_BYTES && !stop.signal.aborted) {
      const waitMs = batch.length === 0 ? LONG_POLL_MS : untilMs - clock.now();
      if (batch.length > 0 && waitMs <= 0) break;
      // One at a time near the size limit, so that a batch never outgrows it.
      const max = Math.min(
        mapping.batchSize - batch.length,
        sizeBytes === 0 ? 10 : room(sizeBytes, batch.length),
      );
      const received = await queue.receive({ max, waitMs, signal: stop.signal, endsWithStack: true });
      if (received.length === 0 && batch.length > 0) break;
      if (batch.length === 0) untilMs = clock.now() + mapping.windowSeconds * 1000;
      for (const each of received)
        sizeBytes += Buffer.byteLength(JSON.stringify(each.message.body)) + ENVELOPE_BYTES;
      batch.push(...received);
    }
    return batch;
  };
  /** A throttled batch is tried again with growing pauses until its messages show in the queue again; then it is dropped. */
  const invoke = async (
    batch: readonly ReceivedMessage[],
    payload: Buffer,
  ): Promise<InvokeResult | undefined> => {
    const untilMs = Math.min(...batch.map(({ message }) => message.visibleMs));
    for (let delayMs = RETRY_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_THROTTLE_DELAY_MS)) {
      try {
        return await deps.invoke(payload);
      } catch (error) {
        if (!(error instanceof AwsError && error.code === 'TooManyRequestsException')) throw error;
        if (clock.now() + delayMs >= untilMs) return undefined;
        await clock.sleep(delayMs, stop.signal);
      }
    }
  };
  const work = async (queue: Queue, batch: readonly ReceivedMessage[]): Promise<void> => {
    const records = batch.map((received) => toRecord(received, mapping.queueArn, deps.site));
    const result = await invoke(batch, Buffer.from(JSON.stringify({ Records: records })));
    if (result === undefined || result.functionError) return;
    const failed = mapping.reportsItemFailures
      ? failedIds(result.payload.toString('utf8'), batch)
      : new Set();
    for (const { message, receiptHandle } of batch) {
      if (!failed.has(message.id)) queue.delete(receiptHandle);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        const queue = deps.queue();
        const batch = await gather(queue);
        if (batch.length === 0) continue;
        const invocation = work(queue, batch)
          .catch(async (error: unknown) => {
            if (stop.signal.aborted) return;
            report(`${mapping.queueArn} → ${mapping.functionTarget}: ${String(error)}`);
            await clock.sleep(RETRY_DELAY_MS, stop.signal).catch(ignoreStop);
          })
          .finally(() => running.delete(invocation));
        running.add(invocation);
        if (running.size >= concurrency) await Promise.race(running);
      } catch (error) {
        if (stop.signal.aborted) return;
        report(`${mapping.queueArn} → ${mapping.functionTarget}: ${String(error)}`);
        await clock.sleep(RETRY_DELAY_MS, stop.signal).catch(ignoreStop);
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

/** How many more messages of the batch's mean size fit; at least one. */
function room(sizeBytes: number, count: number): number {
  return Math.max(1, Math.min(1000, Math.floor((MAX_PAYLOAD_BYTES - sizeBytes) / (sizeBytes / count))));
}

/** The ids a function gave back as failed; all of them if it answered something else than Lambda asks for. */
function failedIds(response: string, batch: readonly ReceivedMessage[]): ReadonlySet<string> {
  const all = new Set(batch.map(({ message }) => message.id));
  const parsed = BatchResponse.safeParse(parseJson(response) ?? {});
  if (!parsed.success) return all;
  const ids = new Set(parsed.data.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return ids.isSubsetOf(all) ? ids : all;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is not a list of failures: the schema refuses it and the whole batch is redelivered.
    return [];
  }
}

function toRecord({ message, receiptHandle }: ReceivedMessage, queueArn: string, site: Site): unknown {
  return {
    messageId: message.id,
    receiptHandle,
    body: message.body,
    attributes: toSystemAttributes(message, site),
    messageAttributes: toRecordAttributes(message.attributes ?? {}),
    md5OfBody: bodyMd5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: site.region,
  };
}

function toRecordAttributes(attributes: MessageAttributes): unknown {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        stringValue: StringValue,
        binaryValue: BinaryValue,
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );
}

function ignoreStop(): void {}
