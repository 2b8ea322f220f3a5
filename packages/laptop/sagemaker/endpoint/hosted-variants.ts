import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import type { EndpointConfigRecord } from './endpoint-config-record.ts';
import type { ComponentHost, HostedVariant } from './endpoint-record.ts';

/**
 * The variants of a configuration with the models that they have at this moment.
 *
 * @throws {AwsError} `ValidationException` if a model was deleted
 */
export function toHostedVariants(state: SageMakerState, config: EndpointConfigRecord): HostedVariant[] {
  return config.input.ProductionVariants.filter(({ ModelName }) => ModelName !== undefined).map(
    (settings) => ({
      settings,
      model: requireModel(state, settings.ModelName ?? ''),
      weight: settings.InitialVariantWeight ?? 1,
      ...(settings.InitialInstanceCount === undefined
        ? {}
        : { instanceCount: settings.InitialInstanceCount }),
    }),
  );
}

/** The variant of a configuration that hosts inference components; undefined if its variants have models. */
export function toComponentHost({ input }: EndpointConfigRecord): ComponentHost | undefined {
  const settings = input.ProductionVariants.find(({ ModelName }) => ModelName === undefined);
  return (
    settings && {
      settings,
      networkIsolation: input.EnableNetworkIsolation ?? false,
      instanceCount: settings.InitialInstanceCount ?? 0,
    }
  );
}
