import * as z from 'zod';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { parseInput } from '../parse-input.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** Stops an endpoint in whatever status it is; it is gone when its containers are. */
export function deleteEndpoint(state: SageMakerState, body: unknown): void {
  const { EndpointName } = parseInput(z.object({ EndpointName: ResourceName }), body);
  if (requireEndpoint(state, EndpointName).status !== 'Deleting') state.hosting.remove(EndpointName);
}
