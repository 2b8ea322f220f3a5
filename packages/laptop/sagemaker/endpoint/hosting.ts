import type { AlarmStates, EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import { toEndpointEvent } from './endpoint-event.ts';
import { EndpointFailure } from './endpoint-failure.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import { createFleet, type Fleet } from './fleet.ts';
import type { FleetOptions } from './fleet-options.ts';
import { switchTraffic } from './switch-traffic.ts';
import type { VariantFleet } from './variant-fleet.ts';

/** The endpoints that this process serves. */
export interface Hosting {
  /** Records a new endpoint, which must be `Creating`, and brings it up. */
  create(endpoint: EndpointRecord): void;
  /** Brings what the endpoint's record has as `pending`; it must be in service. */
  update(endpoint: EndpointRecord): void;
  remove(name: string): void;
  /** The variant that answers a request now; undefined if the endpoint is not in service or has no such variant. */
  route(name: string, variantName: string | undefined): VariantFleet | undefined;
  /** Resolves when no endpoint is on its way from one status to another. */
  idle(): Promise<void>;
  /** Stops all containers and leaves the records as they are; the next start of the stack brings them up again. */
  close(): Promise<void>;
}

export interface HostingOptions extends FleetOptions {
  readonly endpoints: Documents<EndpointRecord>;
  readonly bus: EventBus;
  readonly alarms: AlarmStates;
}

interface Live {
  readonly abort: AbortController;
  blue: Fleet | undefined;
  green: { readonly fleet: Fleet; readonly share: number } | undefined;
  /** What is being done, one thing after the other. */
  work: Promise<void>;
}

/** Between two attempts to bring up what served before the stack's restart. */
const RETRY_MS = 5000;
const SERVING = new Set(['InService', 'Updating', 'RollingBack']);

/** Endpoints of an earlier process come up again at once: their requests wait until the containers are healthy. */
export function createHosting(options: HostingOptions): Hosting {
  const { endpoints, bus, clock, alarms } = options;
  const lives = new Map<string, Live>();
  let closing = false;

  const change = (name: string, changes: Partial<EndpointRecord>): void => {
    const before = endpoints.get(name);
    if (!before || closing) return;
    const after = { ...before, ...changes, lastModifiedTimeMs: clock.now() };
    endpoints.set(name, after);
    if (after.status !== before.status) void bus.put(toEndpointEvent(after));
  };
  const newLive = (): Live => ({
    abort: new AbortController(),
    blue: undefined,
    green: undefined,
    work: Promise.resolve(),
  });
  const then = (live: Live, work: () => Promise<void>): void => {
    live.work = live.work.then(work);
  };

  const bringUp = async (name: string, live: Live): Promise<void> => {
    const { content, status } = endpoints.get(name) ?? {};
    if (!content) return;
    const fleet = createFleet(options, name, content);
    live.blue = fleet;
    try {
      await untilAborted(fleet.start(), live.abort.signal);
    } catch (error) {
      await fleet.stop();
      live.blue = undefined;
      if (live.abort.signal.aborted) return;
      const failureReason = toReason(error, `endpoint ${name}`);
      // What served goes on: SageMaker replaces instances that its own side has lost.
      if (status === 'Creating') return change(name, { status: 'Failed', failureReason });
      await clock.sleep(RETRY_MS, live.abort.signal).catch(() => undefined);
      return live.abort.signal.aborted ? undefined : bringUp(name, live);
    }
    change(name, { status: endpoints.get(name)?.pending ? 'Updating' : 'InService' });
  };

  const bringPending = async (name: string, live: Live): Promise<void> => {
    const pending = endpoints.get(name)?.pending;
    if (!pending || live.abort.signal.aborted || !live.blue) return;
    const { startTimeMs: _, ...content } = pending;
    const green = createFleet(options, name, content);
    try {
      await untilAborted(green.start(), live.abort.signal);
      await switchTraffic({
        content,
        clock,
        alarms,
        signal: live.abort.signal,
        shift: (share) => void (live.green = { fleet: green, share }),
      });
    } catch (error) {
      live.green = undefined;
      if (live.abort.signal.aborted) return green.stop();
      const failureReason = toReason(error, `update of endpoint ${name}`);
      change(name, { status: 'RollingBack', failureReason });
      await green.retire();
      change(name, { status: 'InService', pending: undefined });
      return;
    }
    const blue = live.blue;
    live.blue = green;
    live.green = undefined;
    const waitSeconds = content.deployment?.BlueGreenUpdatePolicy?.TerminationWaitInSeconds ?? 0;
    if (waitSeconds > 0) await clock.sleep(waitSeconds * 1000, live.abort.signal).catch(() => undefined);
    await (live.abort.signal.aborted ? blue.stop() : blue.retire());
    change(name, { status: 'InService', content, pending: undefined, failureReason: undefined });
  };

  const shutDown = async (live: Live): Promise<void> => {
    live.abort.abort(new Error('the endpoint is being shut down'));
    await live.work;
    await live.blue?.stop();
  };

  for (const { name, status } of [...endpoints.values()]) {
    if (status === 'Failed') continue;
    if (status === 'Deleting') {
      endpoints.delete(name);
      continue;
    }
    const live = newLive();
    lives.set(name, live);
    if (status === 'RollingBack') change(name, { status: 'InService', pending: undefined });
    then(live, () => bringUp(name, live));
    then(live, () => bringPending(name, live));
  }

  return {
    create(endpoint) {
      endpoints.set(endpoint.name, endpoint);
      void bus.put(toEndpointEvent(endpoint));
      const live = newLive();
      lives.set(endpoint.name, live);
      then(live, () => bringUp(endpoint.name, live));
    },
    update({ name, pending }) {
      const live = lives.get(name);
      if (!live) return;
      change(name, { status: 'Updating', pending });
      then(live, () => bringPending(name, live));
    },
    remove(name) {
      change(name, { status: 'Deleting' });
      const live = lives.get(name) ?? newLive();
      lives.set(name, live);
      const gone = shutDown(live).then(() => {
        if (closing) return;
        endpoints.delete(name);
        lives.delete(name);
      });
      live.work = gone;
    },
    route(name, variantName) {
      const live = lives.get(name);
      if (!live?.blue || !SERVING.has(endpoints.get(name)?.status ?? '')) return undefined;
      const { green } = live;
      const toGreen = green !== undefined && (green.share >= 1 || options.random() < green.share);
      return (toGreen ? green.fleet : live.blue).pick(variantName);
    },
    async idle() {
      let seen: readonly Promise<void>[];
      do {
        seen = [...lives.values()].map(({ work }) => work);
        await Promise.all(seen);
      } while ([...lives.values()].some(({ work }) => !seen.includes(work)));
    },
    async close() {
      closing = true;
      await Promise.all([...lives.values()].map(shutDown));
    },
  };
}

/** Work that starts containers cannot be aborted half-way everywhere, but its caller need not wait for it. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([work, stopped.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toReason(error: unknown, what: string): string {
  if (error instanceof EndpointFailure) return error.message;
  process.stderr.write(
    `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 'Request to service failed. If failure persists after retry, contact customer support.';
}
