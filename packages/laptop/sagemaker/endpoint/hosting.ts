import type { AlarmStates, EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import { toEndpointEvent } from './endpoint-event.ts';
import type { EndpointRecord } from './endpoint-record.ts';
import type { FleetOptions } from './fleet-options.ts';
import { createLiveEndpoint, type LiveEndpoint } from './live-endpoint.ts';
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

const SERVING = new Set(['InService', 'Updating', 'RollingBack']);

/** Endpoints of an earlier process come up again at once: their requests wait until the containers are healthy. */
export function createHosting(options: HostingOptions): Hosting {
  const { endpoints, bus, clock } = options;
  const lives = new Map<string, LiveEndpoint>();
  let closing = false;

  const change = (name: string, changes: Partial<EndpointRecord>): void => {
    const before = endpoints.get(name);
    if (!before || closing) return;
    const after = { ...before, ...changes, lastModifiedTimeMs: clock.now() };
    endpoints.set(name, after);
    if (after.status !== before.status) void bus.put(toEndpointEvent(after));
  };
  const enliven = (name: string): LiveEndpoint => {
    const entry = {
      name,
      get: () => endpoints.get(name),
      change: (changes: Partial<EndpointRecord>) => change(name, changes),
    };
    const live = createLiveEndpoint(entry, options);
    lives.set(name, live);
    return live;
  };

  for (const { name, status } of [...endpoints.values()]) {
    if (status === 'Failed') continue;
    if (status === 'Deleting') {
      endpoints.delete(name);
      continue;
    }
    const live = enliven(name);
    if (status === 'RollingBack') change(name, { status: 'InService', pending: undefined });
    live.bringUp();
    live.bringPending();
  }

  return {
    create(endpoint) {
      endpoints.set(endpoint.name, endpoint);
      void bus.put(toEndpointEvent(endpoint));
      enliven(endpoint.name).bringUp();
    },
    update({ name, pending }) {
      const live = lives.get(name);
      if (!live) return;
      change(name, { status: 'Updating', pending });
      live.bringPending();
    },
    remove(name) {
      change(name, { status: 'Deleting' });
      const live = lives.get(name) ?? enliven(name);
      void live.end(() => {
        if (closing) return;
        endpoints.delete(name);
        lives.delete(name);
      });
    },
    route(name, variantName) {
      return SERVING.has(endpoints.get(name)?.status ?? '') ? lives.get(name)?.pick(variantName) : undefined;
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
      await Promise.all([...lives.values()].map((live) => live.end()));
    },
  };
}
