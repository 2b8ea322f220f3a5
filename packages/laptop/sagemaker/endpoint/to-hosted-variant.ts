import { requireModel } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';
import type { EndpointConfigRecord } from './endpoint-config-record.ts';
import type { HostedVariant } from './endpoint-record.ts';

/**
 * The variants of a configuration with the models that they have at this moment.
 *
 * @throws {AwsError} `ValidationException` if a model was deleted
 */
export function toHostedVariants(state: SageMakerState, config: EndpointConfigRecord): HostedVariant[] {
  return config.input.ProductionVariants.map((settings) => ({
    settings,
    model: requireModel(state, settings.ModelName ?? ''),
    weight: settings.InitialVariantWeight ?? 1,
    ...(settings.InitialInstanceCount === undefined ? {} : { instanceCount: settings.InitialInstanceCount }),
  }));
}
