import * as z from 'zod';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { parseInput } from '../parse-input.ts';
import { requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Returns the input of CreateEndpointConfig. */
export function describeEndpointConfig(state: SageMakerState, body: unknown): Record<string, unknown> {
  const { EndpointConfigName } = parseInput(z.strictObject({ EndpointConfigName: ResourceName }), body);
  const config = requireEndpointConfig(state, EndpointConfigName);
  const { Tags: _tags, ...input } = config.input;
  return {
    ...input,
    ProductionVariants: input.ProductionVariants.map((variant) => ({
      ...variant,
      InitialVariantWeight: variant.InitialVariantWeight ?? 1,
    })),
    EndpointConfigArn: config.arn,
    CreationTime: new Date(config.creationTimeMs),
    EnableNetworkIsolation: input.EnableNetworkIsolation ?? false,
  };
}
