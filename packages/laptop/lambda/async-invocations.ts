import { join } from 'node:path';
import type { Targets } from '../events/dispatcher.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openPendingEntries, type PendingEntries } from '../storage/pending-entries.ts';
import { deliverEnd, type EndedEvent } from './async-destinations.ts';
import { AsyncEvent } from './async-event.ts';
import { afterAttempt } from './async-retry.ts';
import { unlessThrottled } from './concurrency.ts';
import { AsyncConfig } from './function-config.ts';
import type { FunctionStore } from './function-store.ts';

interface AsyncOptions extends ServiceBase {
  readonly store: FunctionStore;
  readonly targets: Targets;
  /** Called with events that could not be delivered anywhere. */
  readonly report: (line: string) => void;
}

/** Events waiting for their function: kept in `dir` until they are answered or given up. */
export class AsyncInvocations {
  readonly #options: AsyncOptions;
  readonly #pending: PendingEntries<AsyncEvent>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: AsyncOptions) {
    this.#options = options;
    this.#pending = openPendingEntries(join(options.dir, 'async.jsonl'), AsyncEvent);
  }

  /**
   * Resolves when the event is on disk.
   *
   * @throws {AwsError} `ResourceNotFoundException`
   */
  async add(target: string, requestId: string, payload: Buffer): Promise<void> {
    const { store, clock } = this.#options;
    store.config(target);
    const event = { id: requestId, target, payload: payload.toString('base64'), queuedMs: clock.now() };
    this.#pending.add(event);
    this.#launch(event);
    await this.#pending.written();
  }

  /** Takes up what an earlier process left. */
  start(): void {
    for (const event of this.#pending.values()) this.#launch(event);
  }

  /** No further attempts; what is pending stays on disk. */
  stop(): void {
    this.#stop.abort();
  }

  /** Call it after the instances have ended. */
  async close(): Promise<void> {
    await Promise.all(this.#running.values());
    this.#pending.close();
  }

  #launch(event: AsyncEvent): void {
    if (this.#running.has(event.id)) return;
    const ended = this.#run(event).finally(() => this.#running.delete(event.id));
    this.#running.set(event.id, ended);
  }

  async #run(event: AsyncEvent): Promise<void> {
    const { store, clock, report } = this.#options;
    try {
      const ended = await this.#tryToEnd(event);
      await deliverEnd(ended, { ...this.#options, configOf: store.config, nowMs: clock.now() });
    } catch (error) {
      // The stack stops: the event is taken up again at the next start.
      if (this.#stop.signal.aborted) return;
      report(`${event.target}: event ${event.id} dropped: ${String(error)}`);
    }
    this.#pending.done(event.id);
  }

  /** Invokes the function until it has answered, or its configuration allows no further attempt. */
  async #tryToEnd(event: AsyncEvent): Promise<EndedEvent> {
    const { store, clock } = this.#options;
    const { signal } = this.#stop;
    const config = AsyncConfig.parse(store.record(event.target).asyncConfig ?? {});
    for (let attempts = 0, throttles = 0; ;) {
      const payload = Buffer.from(event.payload, 'base64');
      const result = await unlessThrottled(() => store.invoke(event.target, event.id, payload));
      // An attempt cut off by the end of the stack does not count.
      if (result?.functionError) signal.throwIfAborted();
      if (result) attempts += 1;
      else throttles += 1;
      const end = { event, config, attempts, result };
      if (result && !result.functionError) return { ...end, condition: 'Success' };
      const ageMs = clock.now() - event.queuedMs;
      const next = afterAttempt({ attempts, throttles, isThrottled: result === undefined, ageMs }, config);
      if ('givenUp' in next) return { ...end, condition: next.givenUp };
      await clock.sleep(next.delayMs, signal);
    }
  }
}
