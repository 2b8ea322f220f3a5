import type { CopyCounts } from '../../kernel/ports.ts';
import type { Documents } from '../../storage/document-file.ts';
import { EndpointFailure } from '../endpoint/endpoint-failure.ts';
import type { ComponentHost, EndpointRecord } from '../endpoint/endpoint-record.ts';
import type { FleetOptions, VariantFleet } from '../endpoint/variant-fleet.ts';
import { ComponentCopies, noHardware } from './component-copies.ts';
import type { ComponentRecord } from './component-record.ts';

interface ComponentsOptions extends FleetOptions {
  readonly components: Documents<ComponentRecord>;
  readonly endpoints: Documents<EndpointRecord>;
  /** Whether the account may have these additional instances. */
  readonly hasRoom: (instanceType: string, more: number) => boolean;
}

interface LiveComponent {
  readonly copies: ComponentCopies;
  work: Promise<void>;
  lastUsedMs: number;
}

/** Instances without a copy are kept this long: ten minutes, by AWS's announcement of scaling to zero. */
const INSTANCE_IDLE_MS = 10 * 60_000;

/**
 * The inference components that this process serves, and the instances of the endpoints that host them. Every copy has an instance of its
 * own: AWS packs copies by their requirements, so it needs as many at most.
 */
export class Components implements CopyCounts {
  readonly #options: ComponentsOptions;
  readonly #live = new Map<string, LiveComponent>();
  readonly #cooling = new Map<string, () => void>();
  #closing = false;

  /** Components of an earlier process come up again at once. */
  constructor(options: ComponentsOptions) {
    this.#options = options;
    for (const { input, status } of [...options.components.values()]) {
      if (status === 'Deleting') options.components.delete(input.InferenceComponentName);
      else if (status !== 'Failed') this.#reach(input.InferenceComponentName);
    }
  }

  /** Records a new component, which must be `Creating`, and brings its copies up. */
  create(component: ComponentRecord): void {
    const name = component.input.InferenceComponentName;
    this.#options.components.set(name, component);
    this.#reach(name);
  }

  desired(name: string): number | undefined {
    return this.#options.components.get(name)?.desired;
  }

  unusedMs(name: string): number {
    const live = this.#live.get(name);
    return live === undefined ? 0 : this.#options.clock.now() - live.lastUsedMs;
  }

  set(name: string, desired: number): void {
    const component = this.#options.components.get(name);
    if (component?.status !== 'InService' || component.desired === desired) return;
    this.#change(name, { status: 'Updating', desired });
    this.#reach(name);
  }

  remove(name: string): void {
    this.#change(name, { status: 'Deleting', desired: 0 });
    const live = this.#live.get(name);
    void Promise.resolve(live?.work)
      .then(() => live?.copies.stop())
      .then(() => {
        if (this.#closing) return;
        const endpointName = this.#options.components.get(name)?.input.EndpointName ?? '';
        this.#options.components.delete(name);
        this.#live.delete(name);
        this.settle(endpointName);
      });
  }

  /** Whether an endpoint hosts inference components. */
  hosts(endpointName: string): boolean {
    const endpoint = this.#options.endpoints.get(endpointName);
    return endpoint?.status === 'InService' && endpoint.content.host !== undefined;
  }

  /** The copy that answers a request now; undefined if the endpoint has no such component, `no-capacity` if it has no copy. */
  pick(
    endpointName: string,
    name: string,
  ): { readonly fleet: VariantFleet; readonly copies: number } | 'no-capacity' | undefined {
    const component = this.#options.components.get(name);
    if (component?.input.EndpointName !== endpointName || component.status === 'Deleting') return undefined;
    const live = this.#live.get(name);
    const fleet = live?.copies.pick();
    if (live === undefined || fleet === undefined) return 'no-capacity';
    live.lastUsedMs = this.#options.clock.now();
    return { fleet, copies: live.copies.count };
  }

  /** Copies in service. */
  countOf(name: string): number {
    return this.#live.get(name)?.copies.count ?? 0;
  }

  /** Brings the instances of an endpoint in line with its copies: more at once, fewer when they have been unused for a while. */
  settle(endpointName: string): void {
    const host = this.#hostOf(endpointName);
    if (host === undefined || this.#closing) return;
    this.#cooling.get(endpointName)?.();
    this.#cooling.delete(endpointName);
    const wanted = Math.max(
      host.settings.ManagedInstanceScaling?.MinInstanceCount ?? 1,
      this.#wanted(endpointName),
    );
    if (wanted > host.instanceCount) return this.#resizeHost(endpointName, wanted);
    if (wanted === host.instanceCount) return;
    const resize = (): void => this.#resizeHost(endpointName, wanted);
    this.#cooling.set(endpointName, this.#options.clock.after(INSTANCE_IDLE_MS, resize));
  }

  /** Resolves when no component is on its way to another status. */
  async idle(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ work }) => work));
  }

  async close(): Promise<void> {
    this.#closing = true;
    for (const cancel of this.#cooling.values()) cancel();
    await Promise.all([...this.#live.values()].map(({ copies }) => copies.stop()));
  }

  #reach(name: string): void {
    const component = this.#options.components.get(name);
    const host = component && this.#hostOf(component.input.EndpointName);
    if (component === undefined || host === undefined) return;
    const live = this.#live.get(name) ?? {
      copies: new ComponentCopies(this.#options, component, host),
      work: Promise.resolve(),
      lastUsedMs: this.#options.clock.now(),
    };
    this.#live.set(name, live);
    live.work = live.work.then(() => this.#bring(name, live));
  }

  async #bring(name: string, live: LiveComponent): Promise<void> {
    const { components, clock } = this.#options;
    const component = components.get(name);
    if (component === undefined || component.status === 'Deleting' || this.#closing) return;
    const { EndpointName: endpointName } = component.input;
    try {
      this.#requireRoom(endpointName);
      this.settle(endpointName);
      await live.copies.resize(component.desired);
      live.lastUsedMs = clock.now();
      this.#change(name, { status: 'InService', failureReason: undefined });
    } catch (error) {
      if (this.#closing) return;
      if (!(error instanceof EndpointFailure))
        process.stderr.write(`inference component ${name}: ${String(error)}\n`);
      const failureReason = error instanceof Error ? error.message : String(error);
      // A component that once served goes on with the copies that it has.
      const isNew = component.status === 'Creating';
      this.#change(name, {
        status: isNew ? 'Failed' : 'InService',
        failureReason,
        desired: isNew ? 0 : live.copies.count,
      });
    }
    this.settle(endpointName);
  }

  #requireRoom(endpointName: string): void {
    const host = this.#hostOf(endpointName);
    const { InstanceType = '', ManagedInstanceScaling } = host?.settings ?? {};
    const wanted = this.#wanted(endpointName);
    const more = wanted - (host?.instanceCount ?? 0);
    if (wanted > (ManagedInstanceScaling?.MaxInstanceCount ?? 0)) throw noHardware();
    if (more > 0 && !this.#options.hasRoom(InstanceType, more)) throw noHardware();
  }

  #wanted(endpointName: string): number {
    return [...this.#options.components.values()]
      .filter(({ input, status }) => input.EndpointName === endpointName && status !== 'Failed')
      .reduce((sum, { desired }) => sum + desired, 0);
  }

  #hostOf(endpointName: string): ComponentHost | undefined {
    return this.#options.endpoints.get(endpointName)?.content.host;
  }

  #resizeHost(endpointName: string, instanceCount: number): void {
    const endpoint = this.#options.endpoints.get(endpointName);
    if (endpoint?.content.host === undefined) return;
    const host = { ...endpoint.content.host, instanceCount };
    this.#options.endpoints.set(endpointName, { ...endpoint, content: { ...endpoint.content, host } });
  }

  #change(name: string, changes: Partial<ComponentRecord>): void {
    const { components, clock } = this.#options;
    const before = components.get(name);
    if (before === undefined || this.#closing) return;
    components.set(name, { ...before, ...changes, lastModifiedTimeMs: clock.now() });
  }
}
