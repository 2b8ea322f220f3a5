import * as z from 'zod';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { parseInput } from '../parse-input.ts';
import { requireEndpointConfig } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Removes a configuration; endpoints made of it go on, for they have their own copy. */
export function deleteEndpointConfig(state: SageMakerState, body: unknown): void {
  const { EndpointConfigName } = parseInput(z.strictObject({ EndpointConfigName: ResourceName }), body);
  requireEndpointConfig(state, EndpointConfigName);
  state.endpointConfigs.delete(EndpointConfigName);
}
