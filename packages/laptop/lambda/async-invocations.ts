import { join } from 'node:path';
import * as z from 'zod';
import type { Targets } from '../events/dispatcher.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { InvokeResult } from '../kernel/ports.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openJournal } from '../storage/journal.ts';
import { AsyncConfig } from './function-config.ts';
import { functionArn, parseFunctionReference } from './function-reference.ts';
import type { FunctionStore } from './function-store.ts';

/** Events waiting for their function: kept on disk until they are answered or given up. */
export interface AsyncInvocations {
  /**
   * Resolves when the event is on disk.
   *
   * @throws {AwsError} `ResourceNotFoundException`
   */
  add(target: string, requestId: string, payload: Buffer): Promise<void>;
  /** Takes up what an earlier process left. */
  start(): void;
  /** No further attempts; what is pending stays on disk. */
  stop(): void;
  /** Call it after the instances have ended. */
  close(): Promise<void>;
}

const Pending = z.object({ id: z.string(), target: z.string(), payload: z.string(), queuedMs: z.number() });
const Entry = z.union([Pending, z.object({ done: z.string() })]);
type Pending = z.infer<typeof Pending>;

/** Lambda waits a minute before the first retry and two before the second. */
const RETRY_DELAYS_MS = [60_000, 120_000];
const FIRST_THROTTLE_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 300_000;
const COMPACT_LINES = 5000;

/** Opens the events kept in `dir`. */
export function openAsyncInvocations(
  deps: ServiceBase & {
    readonly store: FunctionStore;
    readonly targets: Targets;
    /** Called with events that could not be delivered anywhere. */
    readonly report: (line: string) => void;
  },
): AsyncInvocations {
  const { clock, store, site } = deps;
  const pending = new Map<string, Pending>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const journal = openJournal(join(deps.dir, 'async.jsonl'), (record) => {
    const entry = Entry.parse(record);
    if ('done' in entry) pending.delete(entry.done);
    else pending.set(entry.id, entry);
  });

  const finish = (id: string): void => {
    pending.delete(id);
    journal.append({ done: id });
    if (journal.lines > COMPACT_LINES && journal.lines > 4 * pending.size) journal.compact(pending.values());
  };
  const run = async (event: Pending): Promise<void> => {
    const config = AsyncConfig.parse(store.record(event.target).asyncConfig ?? {});
    const deadlineMs = event.queuedMs + config.maximumEventAgeSeconds * 1000;
    let throttles = 0;
    for (let attempts = 0; ;) {
      const result = await attempt(event);
      // An instance that the end of the stack cut off has not had its attempt.
      if (result?.functionError) stop.signal.throwIfAborted();
      if (result && !result.functionError) return succeed(event, config, result, attempts + 1);
      if (result) attempts += 1;
      const delayMs = result
        ? (RETRY_DELAYS_MS[attempts - 1] ?? 0)
        : Math.min(MAX_THROTTLE_DELAY_MS, FIRST_THROTTLE_DELAY_MS * 2 ** throttles++);
      const condition =
        attempts > config.maximumRetryAttempts
          ? 'RetriesExhausted'
          : clock.now() + delayMs > deadlineMs
            ? 'EventAgeExceeded'
            : undefined;
      if (condition) return giveUp(event, config, result, attempts, condition);
      await clock.sleep(delayMs, stop.signal);
    }
  };
  /** Undefined if the function is throttled, which does not count as an attempt. */
  const attempt = async (event: Pending): Promise<InvokeResult | undefined> => {
    try {
      return await store.invoke(event.target, event.id, Buffer.from(event.payload, 'base64'));
    } catch (error) {
      if (error instanceof AwsError && error.code === 'TooManyRequestsException') return undefined;
      throw error;
    }
  };
  const succeed = async (
    event: Pending,
    config: AsyncConfig,
    result: InvokeResult,
    attempts: number,
  ): Promise<void> => {
    if (config.onSuccessArn !== undefined) {
      await deliver(
        event,
        config.onSuccessArn,
        JSON.stringify(destinationRecord(event, result, attempts, 'Success')),
      );
    }
  };
  const giveUp = async (
    event: Pending,
    config: AsyncConfig,
    result: InvokeResult | undefined,
    attempts: number,
    condition: string,
  ): Promise<void> => {
    const { deadLetterArn } = store.config(event.target);
    const failure = result?.payload.toString('utf8') ?? '';
    if (config.onFailureArn !== undefined) {
      await deliver(
        event,
        config.onFailureArn,
        JSON.stringify(destinationRecord(event, result, attempts, condition)),
      );
    }
    if (deadLetterArn !== undefined) {
      const attributes = { RequestID: event.id, ErrorCode: '200', ErrorMessage: failure.slice(0, 1024) };
      await deliver(event, deadLetterArn, Buffer.from(event.payload, 'base64').toString('utf8'), attributes);
    }
    if (config.onFailureArn === undefined && deadLetterArn === undefined) {
      deps.report(
        `${event.target}: event ${event.id} given up (${condition}) and no failure destination: ${failure}`,
      );
    }
  };
  /** As the function's role. */
  const deliver = async (
    { target }: Pending,
    arn: string,
    payload: string,
    attributes?: Readonly<Record<string, string>>,
  ): Promise<void> => {
    try {
      const sessionName = parseFunctionReference(target).name;
      const by = { roleArn: store.config(target).role, sessionName };
      await deps.targets.deliver(arn, payload, by, attributes ? { attributes } : {});
    } catch (error) {
      deps.report(`${arn} did not take ${payload}: ${String(error)}`);
    }
  };
  const destinationRecord = (
    event: Pending,
    result: InvokeResult | undefined,
    attempts: number,
    condition: string,
  ): unknown => {
    const { name, qualifier } = parseFunctionReference(event.target);
    return {
      version: '1.0',
      timestamp: new Date(clock.now()).toISOString(),
      requestContext: {
        requestId: event.id,
        functionArn: `${functionArn(site, name)}:${qualifier}`,
        condition,
        approximateInvokeCount: attempts,
      },
      requestPayload: parsedOrText(Buffer.from(event.payload, 'base64').toString('utf8')),
      ...(result
        ? {
            responseContext: {
              statusCode: 200,
              executedVersion: qualifier,
              ...(result.functionError ? { functionError: result.functionError } : {}),
            },
            responsePayload: parsedOrText(result.payload.toString('utf8')),
          }
        : {}),
    };
  };
  const runToEnd = async (event: Pending): Promise<void> => {
    try {
      await run(event);
      finish(event.id);
    } catch (error) {
      // The stack stops: the event is taken up again at the next start.
      if (stop.signal.aborted) return;
      deps.report(`${event.target}: event ${event.id} dropped: ${String(error)}`);
      finish(event.id);
    }
  };
  const launch = (event: Pending): void => {
    if (!running.has(event.id))
      running.set(
        event.id,
        runToEnd(event).finally(() => running.delete(event.id)),
      );
  };
  return {
    add: async (target, requestId, payload) => {
      store.config(target);
      const event: Pending = {
        id: requestId,
        target,
        payload: payload.toString('base64'),
        queuedMs: clock.now(),
      };
      pending.set(event.id, event);
      journal.append(event);
      launch(event);
      await journal.written();
    },
    start: () => {
      for (const event of pending.values()) launch(event);
    },
    stop: () => stop.abort(),
    close: async () => {
      await Promise.all(running.values());
      journal.close();
    },
  };
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A payload need not be JSON; the record then carries it as text.
    return text;
  }
}
