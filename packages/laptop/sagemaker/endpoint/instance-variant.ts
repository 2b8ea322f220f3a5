import type { HostedVariant } from './endpoint-record.ts';
import type { HostedContainer } from './hosted-container.ts';
import { withinInvocationTime } from './invocation-time.ts';
import { type PreparedModel, prepareModel } from './prepare-model.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';
import { startVariantContainer, untilHealthy } from './variant-container.ts';
import { type FleetOptions, invokeContainer, type VariantFleet } from './variant-fleet.ts';

interface Instance {
  readonly container: HostedContainer;
  readonly underWay: UnderWay;
}

const MAX_BODY_BYTES = 6 * 1024 * 1024;

/** A variant on instances: as many containers, always running. A request goes to the least busy one. */
export function createInstanceVariant(
  options: FleetOptions,
  endpointName: string,
  variant: HostedVariant,
): VariantFleet {
  const all = createUnderWay();
  const instances: Instance[] = [];
  let model: PreparedModel | undefined;
  let started: Promise<void> | undefined;
  let stopped = false;

  const begin = async (): Promise<void> => {
    model = await prepareModel(options.objectsOf(variant.model), options.workDir, variant.model);
    for (let count = variant.instanceCount ?? 1; count > 0 && !stopped; count--) {
      const container = startVariantContainer(options, endpointName, variant, model);
      instances.push({ container, underWay: createUnderWay() });
    }
    await Promise.all(instances.map(({ container }) => untilHealthy(container, endpointName, variant)));
  };
  const start = (): Promise<void> => {
    started ??= begin();
    started.catch(() => undefined);
    return started;
  };
  const least = (): Instance => instances.reduce((a, b) => (b.underWay.count < a.underWay.count ? b : a));
  return {
    variant,
    largestBody: MAX_BODY_BYTES,
    start,
    invoke: (request) =>
      all.run(async () => {
        await withinInvocationTime(options.clock, start(), 'ServiceUnavailable');
        const instance = least();
        return instance.underWay.run(async () => {
          const client = instance.container.client();
          return invokeContainer(
            await withinInvocationTime(options.clock, client, 'ServiceUnavailable'),
            request,
          );
        });
      }),
    drained: () => all.none(),
    async stop() {
      stopped = true;
      await Promise.all(instances.map(({ container }) => container.stop()));
      await started?.catch(() => undefined);
      await model?.remove();
    },
  };
}
