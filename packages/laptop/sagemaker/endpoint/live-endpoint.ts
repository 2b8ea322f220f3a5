import type { AlarmStates } from '../../kernel/ports.ts';
import { aborted } from '../jobs/aborted.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { createFleet, type Fleet } from './fleet.ts';
import type { FleetOptions } from './fleet-options.ts';
import { switchTraffic } from './switch-traffic.ts';
import type { VariantFleet } from './variant-fleet.ts';

/** The containers of one endpoint; what is to be done with them is done one thing after the other. */
export interface LiveEndpoint {
  /** Brings up what the record has as its content. */
  bringUp(): void;
  /** Brings what the record has as `pending` beside what serves, and moves the traffic over. */
  bringPending(): void;
  /** Breaks off what is being done and stops all containers; then calls `last`. */
  end(last?: () => void): Promise<void>;
  /** The variant that answers a request now; undefined if there is none of that name. */
  pick(variantName: string | undefined): VariantFleet | undefined;
  /** Resolves when all that was to be done is done. */
  readonly work: Promise<void>;
}

/** The record of one endpoint. */
export interface EndpointEntry {
  readonly name: string;
  readonly get: () => EndpointRecord | undefined;
  readonly change: (changes: Partial<EndpointRecord>) => void;
}

/** Between two attempts to bring up what served before the stack's restart. */
const RETRY_MS = 5000;

/** Nothing runs yet. */
export function createLiveEndpoint(
  { name, get, change }: EndpointEntry,
  options: FleetOptions & { readonly alarms: AlarmStates },
): LiveEndpoint {
  const { clock, alarms } = options;
  const abort = new AbortController();
  const { signal } = abort;
  let blue: Fleet | undefined;
  let green: { readonly fleet: Fleet; readonly share: number } | undefined;
  let work = Promise.resolve();

  const bringUp = async (): Promise<void> => {
    const { content, status } = get() ?? {};
    if (!content) return;
    const fleet = createFleet(options, name, content);
    blue = fleet;
    try {
      await Promise.race([fleet.start(), aborted(signal)]);
    } catch (error) {
      await fleet.stop();
      blue = undefined;
      if (signal.aborted) return;
      const failureReason = toReason(error, `endpoint ${name}`);
      // What served goes on: SageMaker replaces instances that its own side has lost.
      if (status === 'Creating') return change({ status: 'Failed', failureReason });
      await clock.sleep(RETRY_MS, signal).catch(() => undefined);
      return signal.aborted ? undefined : bringUp();
    }
    change({ status: get()?.pending ? 'Updating' : 'InService' });
  };

  const bringPending = async (): Promise<void> => {
    const pending = get()?.pending;
    if (!pending || signal.aborted || !blue) return;
    const { startTimeMs: _, ...content } = pending;
    const fleet = createFleet(options, name, content);
    try {
      await Promise.race([fleet.start(), aborted(signal)]);
      await switchTraffic({
        content,
        clock,
        alarms,
        signal,
        shift: (share) => void (green = { fleet, share }),
      });
    } catch (error) {
      green = undefined;
      if (signal.aborted) return fleet.stop();
      const failureReason = toReason(error, `update of endpoint ${name}`);
      change({ status: 'RollingBack', failureReason });
      await fleet.retire();
      return change({ status: 'InService', pending: undefined });
    }
    const replaced = blue;
    blue = fleet;
    green = undefined;
    const waitSeconds = content.deployment?.BlueGreenUpdatePolicy?.TerminationWaitInSeconds ?? 0;
    if (waitSeconds > 0) await clock.sleep(waitSeconds * 1000, signal).catch(() => undefined);
    await (signal.aborted ? replaced.stop() : replaced.retire());
    change({ status: 'InService', content, pending: undefined, failureReason: undefined });
  };

  return {
    bringUp: () => void (work = work.then(bringUp)),
    bringPending: () => void (work = work.then(bringPending)),
    end(last) {
      abort.abort(new Error('the endpoint is being shut down'));
      work = work.then(() => blue?.stop()).then(last);
      return work;
    },
    pick(variantName) {
      const toGreen = green !== undefined && (green.share >= 1 || options.random() < green.share);
      return (toGreen ? green?.fleet : blue)?.pick(variantName);
    },
    get work() {
      return work;
    },
  };
}

function toReason(error: unknown, what: string): string {
  if (error instanceof EndpointFailure) return error.message;
  process.stderr.write(
    `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 'Request to service failed. If failure persists after retry, contact customer support.';
}
