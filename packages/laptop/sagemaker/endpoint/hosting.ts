import type { BusEvent, EventBus } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import type { EndpointRecord, EndpointStatus } from './endpoint-record.ts';
import { LiveEndpoint, type LiveOptions } from './live-endpoint.ts';
import type { VariantFleet } from './variant-fleet.ts';
import { toVariantSummary } from './variant-summary.ts';

interface HostingOptions extends LiveOptions {
  readonly endpoints: Documents<EndpointRecord>;
  readonly bus: EventBus;
}

const SERVING = new Set(['InService', 'Updating', 'RollingBack']);

/** The endpoints that this process serves. */
export class Hosting {
  readonly #options: HostingOptions;
  readonly #lives = new Map<string, LiveEndpoint>();
  #closing = false;

  /** Endpoints of an earlier process come up again at once: their requests wait until the containers are healthy. */
  constructor(options: HostingOptions) {
    this.#options = options;
    for (const { name, status } of [...options.endpoints.values()]) {
      if (status === 'Failed') continue;
      if (status === 'Deleting') {
        options.endpoints.delete(name);
        continue;
      }
      const live = this.#enliven(name);
      if (status === 'RollingBack') this.#change(name, { status: 'InService', pending: undefined });
      live.bringUp();
      live.bringPending();
    }
  }

  /** Records a new endpoint, which must be `Creating`, and brings it up. */
  create(endpoint: EndpointRecord): void {
    this.#options.endpoints.set(endpoint.name, endpoint);
    void this.#options.bus.put(toEndpointEvent(endpoint));
    this.#enliven(endpoint.name).bringUp();
  }

  /** Brings what the endpoint's record has as `pending`; it must be in service. */
  update({ name, pending }: EndpointRecord): void {
    const live = this.#lives.get(name);
    if (!live) return;
    this.#change(name, { status: 'Updating', pending });
    live.bringPending();
  }

  remove(name: string): void {
    this.#change(name, { status: 'Deleting' });
    const live = this.#lives.get(name) ?? this.#enliven(name);
    void live.end(() => {
      if (this.#closing) return;
      this.#options.endpoints.delete(name);
      this.#lives.delete(name);
    });
  }

  /** The variant that answers a request now; undefined if the endpoint is not in service or has no such variant. */
  route(name: string, variantName: string | undefined): VariantFleet | undefined {
    const status = this.#options.endpoints.get(name)?.status ?? '';
    return SERVING.has(status) ? this.#lives.get(name)?.pick(variantName) : undefined;
  }

  /** The time since which the fleet of an endpoint's update has had all requests while the old one is kept. */
  bakingSinceMs(name: string): number | undefined {
    return this.#lives.get(name)?.bakingSinceMs;
  }

  /** Resolves when no endpoint is on its way from one status to another. */
  async idle(): Promise<void> {
    let seen: readonly Promise<void>[];
    do {
      seen = [...this.#lives.values()].map(({ work }) => work);
      await Promise.all(seen);
    } while ([...this.#lives.values()].some(({ work }) => !seen.includes(work)));
  }

  /** Stops all containers and leaves the records as they are; the next start of the stack brings them up again. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#lives.values()].map((live) => live.end()));
  }

  #enliven(name: string): LiveEndpoint {
    const entry = {
      name,
      get: () => this.#options.endpoints.get(name),
      change: (changes: Partial<EndpointRecord>) => this.#change(name, changes),
    };
    const live = new LiveEndpoint(entry, this.#options);
    this.#lives.set(name, live);
    return live;
  }

  #change(name: string, changes: Partial<EndpointRecord>): void {
    const { endpoints, bus, clock } = this.#options;
    const before = endpoints.get(name);
    if (!before || this.#closing) return;
    const after = { ...before, ...changes, lastModifiedTimeMs: clock.now() };
    endpoints.set(name, after);
    if (after.status !== before.status) void bus.put(toEndpointEvent(after));
  }
}

const EVENT_STATUS: Readonly<Record<EndpointStatus, string>> = {
  Creating: 'CREATING',
  InService: 'IN_SERVICE',
  Updating: 'UPDATING',
  RollingBack: 'ROLLING_BACK',
  Deleting: 'DELETING',
  Failed: 'FAILED',
};

/** `SageMaker Endpoint State Change`: the status in upper case, times in epoch milliseconds. */
function toEndpointEvent(endpoint: EndpointRecord): BusEvent {
  const { name, arn, status, failureReason, content, tags, creationTimeMs, lastModifiedTimeMs } = endpoint;
  return {
    source: 'aws.sagemaker',
    'detail-type': 'SageMaker Endpoint State Change',
    resources: [arn],
    timeMs: lastModifiedTimeMs,
    detail: {
      EndpointName: name,
      EndpointArn: arn,
      EndpointConfigName: content.configName,
      ProductionVariants: content.variants.map(toVariantSummary),
      EndpointStatus: EVENT_STATUS[status],
      ...(failureReason === undefined ? {} : { FailureReason: failureReason }),
      CreationTime: creationTimeMs,
      LastModifiedTime: lastModifiedTimeMs,
      Tags: Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value])),
    },
  };
}
