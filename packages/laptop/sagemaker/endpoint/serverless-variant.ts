import { AwsError } from '../../kernel/aws-error.ts';
import type { HostedVariant } from './endpoint-record.ts';
import type { FleetOptions } from './fleet-options.ts';
import type { HostedContainer } from './hosted-container.ts';
import { withinInvocationTime } from './invocation-time.ts';
import { type PreparedModel, prepareModel } from './prepare-model.ts';
import { createUnderWay } from './under-way.ts';
import { startVariantContainer, untilHealthy } from './variant-container.ts';
import { invokeContainer, type VariantFleet } from './variant-fleet.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/**
 * A serverless variant: one container that comes with the first request and goes when none came for a while. It is started once
 * at the creation, too, so that a model that cannot run fails there and not at its first request.
 */
export function createServerlessVariant(
  options: FleetOptions,
  endpointName: string,
  variant: HostedVariant,
): VariantFleet {
  const { clock, serverlessIdleMs } = options;
  const maxConcurrency = variant.settings.ServerlessConfig?.MaxConcurrency ?? 1;
  const alwaysWarm = variant.settings.ServerlessConfig?.ProvisionedConcurrency !== undefined;
  const underWay = createUnderWay();
  let model: Promise<PreparedModel> | undefined;
  let warm: Promise<HostedContainer> | undefined;
  const booting = new Set<HostedContainer>();
  let stopped = false;
  let cancelCooling: (() => void) | undefined;
  let cooling: Promise<void> = Promise.resolve();

  const boot = async (): Promise<HostedContainer> => {
    model ??= prepareModel(options.objectsOf(variant.model), options.workDir, variant.model);
    const prepared = await model;
    if (stopped) throw new DOMException('the variant is being stopped', 'AbortError');
    const container = startVariantContainer(options, endpointName, variant, prepared);
    booting.add(container);
    try {
      await untilHealthy(container, endpointName, variant);
    } catch (error) {
      await container.stop();
      throw error;
    } finally {
      booting.delete(container);
    }
    return container;
  };
  const warmUp = (): Promise<HostedContainer> => {
    if (warm) return warm;
    const next = boot();
    warm = next;
    // The next request tries again.
    next.catch(() => {
      if (warm === next) warm = undefined;
    });
    return next;
  };
  const goCold = (): void => {
    const container = warm;
    warm = undefined;
    const stopped = container?.then((one) => one.stop()).catch(() => undefined);
    cooling = Promise.all([cooling, stopped]).then(() => undefined);
  };
  const restartTimer = (): void => {
    cancelCooling?.();
    if (!alwaysWarm && underWay.count === 0) cancelCooling = clock.after(serverlessIdleMs, goCold);
  };
  return {
    variant,
    largestBody: MAX_BODY_BYTES,
    async start() {
      await warmUp();
      restartTimer();
    },
    async invoke(request) {
      if (underWay.count >= maxConcurrency) {
        throw new AwsError(
          'ThrottlingException',
          `Rate exceeded: production variant ${variant.settings.VariantName} takes at most ${maxConcurrency} concurrent invocations (ServerlessConfig.MaxConcurrency)`,
        );
      }
      try {
        return await underWay.run(async () => {
          cancelCooling?.();
          const client = warmUp().then((container) => container.client());
          return invokeContainer(
            await withinInvocationTime(clock, client, 'ModelNotReadyException'),
            request,
          );
        });
      } finally {
        restartTimer();
      }
    },
    drained: () => underWay.none(),
    async stop() {
      stopped = true;
      cancelCooling?.();
      await Promise.all([...booting].map((container) => container.stop()));
      goCold();
      await cooling;
      await (await model?.catch(() => undefined))?.remove();
    },
  };
}
