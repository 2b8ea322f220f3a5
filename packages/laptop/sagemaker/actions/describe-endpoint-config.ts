import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Returns the input of CreateEndpointConfig. */
export const describeEndpointConfig = (state: SageMakerState) =>
  action('DescribeEndpointConfig', {
    input: z.strictObject({ EndpointConfigName: ResourceName }),
    permissions: onOne(state, 'endpoint-config'),
    run: ({ EndpointConfigName }) => {
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
    },
  });
