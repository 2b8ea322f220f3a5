import { join } from 'node:path';
import type { Targets } from '../events/dispatcher.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openPendingEntries } from '../storage/pending-entries.ts';
import { deliverEnd, type EndedEvent } from './async-destinations.ts';
import { AsyncEvent } from './async-event.ts';
import { afterAttempt } from './async-retry.ts';
import { unlessThrottled } from './concurrency.ts';
import { AsyncConfig } from './function-config.ts';
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

/** Opens the events kept in `dir`. */
export function openAsyncInvocations(
  deps: ServiceBase & {
    readonly store: FunctionStore;
    readonly targets: Targets;
    /** Called with events that could not be delivered anywhere. */
    readonly report: (line: string) => void;
  },
): AsyncInvocations {
  const { clock, store } = deps;
  const pending = openPendingEntries(join(deps.dir, 'async.jsonl'), AsyncEvent);
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();

  /** Invokes the function until it has answered, or its configuration allows no further attempt. */
  const tryToEnd = async (event: AsyncEvent): Promise<EndedEvent> => {
    const config = AsyncConfig.parse(store.record(event.target).asyncConfig ?? {});
    for (let attempts = 0, throttles = 0; ;) {
      const payload = Buffer.from(event.payload, 'base64');
      const result = await unlessThrottled(() => store.invoke(event.target, event.id, payload));
      // An attempt cut off by the end of the stack does not count.
      if (result?.functionError) stop.signal.throwIfAborted();
      if (result) attempts += 1;
      else throttles += 1;
      const end = { event, config, attempts, result };
      if (result && !result.functionError) return { ...end, condition: 'Success' };
      const ageMs = clock.now() - event.queuedMs;
      const next = afterAttempt({ attempts, throttles, isThrottled: result === undefined, ageMs }, config);
      if ('givenUp' in next) return { ...end, condition: next.givenUp };
      await clock.sleep(next.delayMs, stop.signal);
    }
  };
  const run = async (event: AsyncEvent): Promise<void> => {
    try {
      const ended = await tryToEnd(event);
      await deliverEnd(ended, { ...deps, configOf: store.config, nowMs: clock.now() });
    } catch (error) {
      // The stack stops: the event is taken up again at the next start.
      if (stop.signal.aborted) return;
      deps.report(`${event.target}: event ${event.id} dropped: ${String(error)}`);
    }
    pending.done(event.id);
  };
  const launch = (event: AsyncEvent): void => {
    if (running.has(event.id)) return;
    const ended = run(event).finally(() => running.delete(event.id));
    running.set(event.id, ended);
  };
  return {
    add: async (target, id, payload) => {
      store.config(target);
      const event = { id, target, payload: payload.toString('base64'), queuedMs: clock.now() };
      pending.add(event);
      launch(event);
      await pending.written();
    },
    start: () => {
      for (const event of pending.values()) launch(event);
    },
    stop: () => stop.abort(),
    close: async () => {
      await Promise.all(running.values());
      pending.close();
    },
  };
}
