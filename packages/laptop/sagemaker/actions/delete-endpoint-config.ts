import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { onOne } from '../asked-of-role.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Removes a configuration; endpoints made of it go on, for they have their own copy. */
export const deleteEndpointConfig = (state: SageMakerState) =>
  action('DeleteEndpointConfig', {
    input: z.strictObject({ EndpointConfigName: ResourceName }),
    permissions: onOne(state, 'endpoint-config'),
    run: ({ EndpointConfigName }) => {
      requireEndpointConfig(state, EndpointConfigName);
      state.endpointConfigs.delete(EndpointConfigName);
    },
  });
