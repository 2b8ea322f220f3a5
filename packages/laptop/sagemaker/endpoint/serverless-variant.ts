import { AwsError } from '../../kernel/aws-error.ts';
import type { HostedVariant } from './endpoint-record.ts';
import type { HostedContainer } from './hosted-container.ts';
import { withinInvocationTime } from './invocation-time.ts';
import { type PreparedModel, prepareModel } from './prepare-model.ts';
import { createUnderWay } from './under-way.ts';
import { startVariantContainer, untilHealthy } from './variant-container.ts';
import {
  type ContainerRequest,
  type FleetOptions,
  invokeContainer,
  type VariantAnswer,
  type VariantFleet,
} from './variant-fleet.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * A serverless variant: one container that starts with the first request and stops after a while without any. Creation also starts
 * it once, so that a broken model fails there and not at its first request.
 */
export class ServerlessVariant implements VariantFleet {
  readonly variant: HostedVariant;
  readonly largestBody = MAX_BODY_BYTES;
  readonly #options: FleetOptions;
  readonly #endpointName: string;
  readonly #underWay = createUnderWay();
  readonly #booting = new Set<HostedContainer>();
  #model: Promise<PreparedModel> | undefined;
  #warm: Promise<HostedContainer> | undefined;
  #stopped = false;
  #cancelCooling: (() => void) | undefined;
  #cooling: Promise<void> = Promise.resolve();

  constructor(options: FleetOptions, endpointName: string, variant: HostedVariant) {
    this.variant = variant;
    this.#options = options;
    this.#endpointName = endpointName;
  }

  async start(): Promise<void> {
    await this.#warmUp();
    this.#restartTimer();
  }

  async invoke(request: ContainerRequest): Promise<VariantAnswer> {
    const { VariantName, ServerlessConfig } = this.variant.settings;
    const maxConcurrency = ServerlessConfig?.MaxConcurrency ?? 1;
    if (this.#underWay.count >= maxConcurrency)
      throw new AwsError(
        'ThrottlingException',
        `Rate exceeded: production variant ${VariantName} takes at most ${maxConcurrency} concurrent invocations ` +
          '(ServerlessConfig.MaxConcurrency)',
      );
    try {
      return await this.#underWay.run(async () => {
        this.#cancelCooling?.();
        const client = this.#warmUp().then((container) => container.client());
        return invokeContainer(
          await withinInvocationTime(this.#options.clock, client, 'ModelNotReadyException'),
          request,
        );
      });
    } finally {
      this.#restartTimer();
    }
  }

  drained(): Promise<void> {
    return this.#underWay.none();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancelCooling?.();
    await Promise.all([...this.#booting].map((container) => container.stop()));
    this.#goCold();
    await this.#cooling;
    await (await this.#model?.catch(() => undefined))?.remove();
  }

  #warmUp(): Promise<HostedContainer> {
    if (this.#warm) return this.#warm;
    const next = this.#boot();
    this.#warm = next;
    // The next request tries again.
    next.catch(() => {
      if (this.#warm === next) this.#warm = undefined;
    });
    return next;
  }

  async #boot(): Promise<HostedContainer> {
    const { objectsOf, workDir } = this.#options;
    this.#model ??= prepareModel(objectsOf(this.variant.model), workDir, this.variant.model);
    const prepared = await this.#model;
    if (this.#stopped) throw new DOMException('the variant is being stopped', 'AbortError');
    const container = startVariantContainer(this.#options, this.#endpointName, this.variant, prepared);
    this.#booting.add(container);
    try {
      await untilHealthy(container, this.#endpointName, this.variant);
    } catch (error) {
      await container.stop();
      throw error;
    } finally {
      this.#booting.delete(container);
    }
    return container;
  }

  /** Capacity that is provisioned stays warm. */
  #restartTimer(): void {
    const { clock, serverlessIdleMs } = this.#options;
    this.#cancelCooling?.();
    if (
      this.variant.settings.ServerlessConfig?.ProvisionedConcurrency === undefined &&
      this.#underWay.count === 0
    )
      this.#cancelCooling = clock.after(serverlessIdleMs, () => this.#goCold());
  }

  #goCold(): void {
    const stopped = this.#warm?.then((one) => one.stop()).catch(() => undefined);
    this.#warm = undefined;
    this.#cooling = Promise.all([this.#cooling, stopped]).then(() => undefined);
  }
}
