import type { EndpointContent } from './endpoint-record.ts';
import { createInstanceVariant } from './instance-variant.ts';
import { ServerlessVariant } from './serverless-variant.ts';
import type { FleetOptions, VariantFleet } from './variant-fleet.ts';

/** The variants of one endpoint configuration, running. */
export type Fleet = ReturnType<typeof createFleet>;

/** Nothing runs before `start`. */
export function createFleet(options: FleetOptions, endpointName: string, content: EndpointContent) {
  const variants = content.variants.map((variant) =>
    variant.settings.ServerlessConfig === undefined
      ? createInstanceVariant(options, endpointName, variant)
      : new ServerlessVariant(options, endpointName, variant),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(variants.map((variant) => variant.stop()));
  };
  return {
    /** @throws {EndpointFailure} if any variant can't take requests; the others are stopped then */
    async start(): Promise<void> {
      try {
        await Promise.all(variants.map((variant) => variant.start()));
      } catch (error) {
        await stop();
        throw error;
      }
    },
    /** The named variant, or a random one in proportion to the weights. Undefined if none has that name. */
    pick: (name: string | undefined): VariantFleet | undefined =>
      name === undefined
        ? pickByWeight(variants, options.random())
        : variants.find(({ variant }) => variant.settings.VariantName === name),
    /** Stops when all that is under way has been answered. */
    async retire(): Promise<void> {
      await Promise.all(variants.map((variant) => variant.drained()));
      await stop();
    },
    stop,
  };
}

function pickByWeight(variants: readonly VariantFleet[], chance: number): VariantFleet | undefined {
  const total = variants.reduce((sum, { variant }) => sum + variant.weight, 0);
  let left = chance * total;
  for (const one of variants) {
    left -= one.variant.weight;
    if (left < 0) return one;
  }
  return variants.findLast(({ variant }) => variant.weight > 0) ?? variants[0];
}
