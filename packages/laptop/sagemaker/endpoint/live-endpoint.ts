import type { Clock } from '../../kernel/clock.ts';
import type { AlarmStates } from '../../kernel/ports.ts';
import { aborted } from '../jobs/aborted.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointContent, EndpointRecord } from './endpoint-record.ts';
import { createFleet, type Fleet } from './fleet.ts';
import type { FleetOptions, VariantFleet } from './variant-fleet.ts';

/** The record of one endpoint. */
interface EndpointEntry {
  readonly name: string;
  readonly get: () => EndpointRecord | undefined;
  readonly change: (changes: Partial<EndpointRecord>) => void;
}

/** Dependencies of one endpoint: for its containers and for its updates. */
export interface LiveOptions extends FleetOptions {
  readonly alarms: AlarmStates;
  /** An update keeps its old fleet no longer than this, whatever it asks for. */
  readonly longestUpdateWaitMs: number;
}

/** Between two attempts to bring up what served before the stack's restart. */
const RETRY_MS = 5000;

/** The containers of one endpoint; what is to be done with them is done one thing after the other. */
export class LiveEndpoint {
  readonly #entry: EndpointEntry;
  readonly #options: LiveOptions;
  readonly #abort = new AbortController();
  readonly #signal = this.#abort.signal;
  /** The fleet that serves. */
  #blue: Fleet | undefined;
  /** The fleet that an update has brought next to it, once the requests go there. */
  #green: Fleet | undefined;
  #bakingSinceMs = 0;
  #work = Promise.resolve();

  constructor(entry: EndpointEntry, options: LiveOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  /** Resolves when all that was to be done is done. */
  get work(): Promise<void> {
    return this.#work;
  }

  /** The time since which an update's fleet has had all requests, while the old one is kept; undefined otherwise. */
  get bakingSinceMs(): number | undefined {
    return this.#green && this.#bakingSinceMs;
  }

  /** Brings up what the record has as its content. */
  bringUp(): void {
    this.#work = this.#work.then(() => this.#bringUp());
  }

  /** Starts the `pending` variants next to the live ones, and moves the traffic over. */
  bringPending(): void {
    this.#work = this.#work.then(() => this.#bringPending());
  }

  /** Breaks off what is being done and stops all containers; then calls `last`. */
  end(last?: () => void): Promise<void> {
    this.#abort.abort(new Error('the endpoint is being shut down'));
    this.#work = this.#work.then(() => this.#blue?.stop()).then(last);
    return this.#work;
  }

  /** The variant that answers a request now; undefined if no variant has that name. */
  pick(variantName: string | undefined): VariantFleet | undefined {
    return (this.#green ?? this.#blue)?.pick(variantName);
  }

  async #bringUp(): Promise<void> {
    const { name, get, change } = this.#entry;
    const { content, status } = get() ?? {};
    if (!content) return;
    const fleet = createFleet(this.#options, name, content);
    this.#blue = fleet;
    try {
      await Promise.race([fleet.start(), aborted(this.#signal)]);
    } catch (error) {
      await fleet.stop();
      this.#blue = undefined;
      if (this.#signal.aborted) return;
      const failureReason = toReason(error, `endpoint ${name}`);
      // What served goes on: SageMaker replaces instances that its own side has lost.
      if (status === 'Creating') return change({ status: 'Failed', failureReason });
      await this.#options.clock.sleep(RETRY_MS, this.#signal).catch(() => undefined);
      return this.#signal.aborted ? undefined : this.#bringUp();
    }
    change({ status: get()?.pending ? 'Updating' : 'InService' });
  }

  async #bringPending(): Promise<void> {
    const { name, get, change } = this.#entry;
    const { clock, alarms, longestUpdateWaitMs: longestWaitMs } = this.#options;
    const signal = this.#signal;
    const replaced = this.#blue;
    const pending = get()?.pending;
    if (!pending || signal.aborted || !replaced) return;
    const { startTimeMs: _, ...content } = pending;
    const fleet = createFleet(this.#options, name, content);
    try {
      await Promise.race([fleet.start(), aborted(signal)]);
      const shift = (): void => {
        this.#green = fleet;
        this.#bakingSinceMs = clock.now();
      };
      await switchTraffic({ content, clock, alarms, longestWaitMs, signal, shift });
    } catch (error) {
      this.#green = undefined;
      if (signal.aborted) return fleet.stop();
      const failureReason = toReason(error, `update of endpoint ${name}`);
      change({ status: 'RollingBack', failureReason });
      await fleet.retire();
      return change({ status: 'InService', pending: undefined });
    }
    this.#blue = fleet;
    this.#green = undefined;
    await (signal.aborted ? replaced.stop() : replaced.retire());
    change({ status: 'InService', content, pending: undefined, failureReason: undefined });
  }
}

function toReason(error: unknown, what: string): string {
  if (error instanceof EndpointFailure) return error.message;
  process.stderr.write(
    `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 'Request to service failed. If failure persists after retry, contact customer support.';
}

/** How often alarms are looked at while the new fleet is watched. */
const WATCH_EVERY_MS = 5_000;

/**
 * Moves the traffic of an endpoint to its new fleet all at once, and watches the alarms of the deployment before and for as long as the
 * old fleet is kept.
 *
 * @throws {EndpointFailure} if an alarm goes off
 */
async function switchTraffic({
  content,
  clock,
  alarms,
  longestWaitMs,
  signal,
  shift,
}: {
  readonly content: EndpointContent;
  readonly clock: Clock;
  readonly alarms: AlarmStates;
  readonly longestWaitMs: number;
  readonly signal: AbortSignal;
  /** Sends the traffic to the new fleet. */
  readonly shift: () => void;
}): Promise<void> {
  const names = (content.deployment?.AutoRollbackConfiguration?.Alarms ?? []).map(
    ({ AlarmName }) => AlarmName,
  );
  const check = (): void => {
    const ringing = names.filter((name) => alarms.stateOf(name) === 'ALARM');
    if (ringing.length === 0) return;
    throw new EndpointFailure(
      `The deployment was rolled back because alarms of its AutoRollbackConfiguration are in ALARM: ${ringing.join(', ')}`,
    );
  };
  check();
  shift();
  const policy = content.deployment?.BlueGreenUpdatePolicy;
  const { WaitIntervalInSeconds = 0 } = policy?.TrafficRoutingConfiguration ?? {};
  const waitMs = 1000 * (WaitIntervalInSeconds + (policy?.TerminationWaitInSeconds ?? 0));
  for (let left = Math.min(waitMs, longestWaitMs); left > 0; left -= WATCH_EVERY_MS) {
    await clock.sleep(Math.min(left, WATCH_EVERY_MS), signal);
    check();
  }
}
