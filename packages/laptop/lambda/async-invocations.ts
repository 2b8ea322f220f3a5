import { join } from 'node:path';
import * as z from 'zod';
import type { Targets } from '../events/dispatcher.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openPendingEntries, type PendingEntries } from '../storage/pending-entries.ts';
import { unlessThrottled } from './concurrency.ts';
import { parseFunctionReference } from './function-reference.ts';
import type { FunctionStore } from './function-store.ts';

/** An event that waits for its function, as it is stored. */
const AsyncEvent = z.object({
  /** Id of the request that brought it, and of each of its attempts. */
  id: z.string(),
  /** A function's name or ARN, with or without version. */
  target: z.string(),
  /** In Base64. */
  payload: z.string(),
  queuedMs: z.number(),
});

type AsyncEvent = z.infer<typeof AsyncEvent>;

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
    const { report } = this.#options;
    try {
      const end = await this.#tryToEnd(event);
      if (end.givenUp !== undefined) await this.#giveUp(event, end.givenUp, end.failure);
    } catch (error) {
      // The stack stops: the event is taken up again at the next start.
      if (this.#stop.signal.aborted) return;
      report(`${event.target}: event ${event.id} dropped: ${String(error)}`);
    }
    this.#pending.done(event.id);
  }

  /**
   * Brings an event to the dead-letter queue of its function, as the function's role; if there is none, or it does not take
   * it, it is reported.
   */
  async #giveUp({ id, target, payload }: AsyncEvent, why: GivenUp, failure: string): Promise<void> {
    const { store, targets, report } = this.#options;
    const { deadLetterArn, role } = store.config(target);
    if (deadLetterArn === undefined)
      return report(`${target}: event ${id} given up (${why}) and no dead-letter queue: ${failure}`);
    const body = Buffer.from(payload, 'base64').toString('utf8');
    const attributes = { RequestID: id, ErrorCode: '200', ErrorMessage: failure.slice(0, 1024) };
    const by = { roleArn: role, sessionName: parseFunctionReference(target).name };
    try {
      await targets.deliver(deadLetterArn, body, by, { attributes });
    } catch (error) {
      report(`${deadLetterArn} did not take ${body}: ${String(error)}`);
    }
  }

  /** Invokes the function until it has answered, or Lambda makes no further attempt. */
  async #tryToEnd(
    event: AsyncEvent,
  ): Promise<{ readonly givenUp: GivenUp | undefined; readonly failure: string }> {
    const { store, clock } = this.#options;
    const { signal } = this.#stop;
    for (let attempts = 0, throttles = 0; ;) {
      const payload = Buffer.from(event.payload, 'base64');
      const result = await unlessThrottled(() => store.invoke(event.target, event.id, payload));
      // An attempt cut off by the end of the stack does not count.
      if (result?.functionError) signal.throwIfAborted();
      if (result) attempts += 1;
      else throttles += 1;
      const failure = result?.payload.toString('utf8') ?? '';
      if (result && !result.functionError) return { givenUp: undefined, failure };
      const ageMs = clock.now() - event.queuedMs;
      const next = afterAttempt({ attempts, throttles, isThrottled: result === undefined, ageMs });
      if ('givenUp' in next) return { ...next, failure };
      await clock.sleep(next.delayMs, signal);
    }
  }
}

/** Why an event is given up, in the words of Lambda's records. */
type GivenUp = 'RetriesExhausted' | 'EventAgeExceeded';

/** Lambda waits a minute before the first retry and two before the second. */
const RETRY_DELAYS_MS = [60_000, 120_000];
/** Lambda gives an event up after six hours. */
const MAX_AGE_MS = 21_600_000;
const FIRST_THROTTLE_DELAY_MS = 1000;
const MAX_THROTTLE_DELAY_MS = 300_000;

/**
 * Next step after an attempt that failed or was throttled: a wait before the next one, or the end.
 *
 * @param tries.attempts those that failed; a throttled one does not count
 * @param tries.ageMs of the event, now
 */
export function afterAttempt(tries: {
  readonly attempts: number;
  readonly throttles: number;
  readonly isThrottled: boolean;
  readonly ageMs: number;
}): { readonly delayMs: number } | { readonly givenUp: GivenUp } {
  const delayMs = tries.isThrottled
    ? Math.min(MAX_THROTTLE_DELAY_MS, FIRST_THROTTLE_DELAY_MS * 2 ** (tries.throttles - 1))
    : (RETRY_DELAYS_MS[tries.attempts - 1] ?? 0);
  if (tries.attempts > RETRY_DELAYS_MS.length) return { givenUp: 'RetriesExhausted' };
  if (tries.ageMs + delayMs > MAX_AGE_MS) return { givenUp: 'EventAgeExceeded' };
  return { delayMs };
}
