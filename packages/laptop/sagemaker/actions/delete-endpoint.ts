import * as z from 'zod';
import { AwsError } from '../../kernel/aws-error.ts';
import { ResourceName } from '../endpoint/endpoint-config-record.ts';
import { parseInput } from '../parse-input.ts';
import { requireEndpoint } from '../require-record.ts';
import type { SageMakerState } from '../sagemaker-state.ts';

/** On its way to one of these, AWS leaves it alone. */
const IN_PROGRESS = new Set(['Creating', 'Updating', 'RollingBack']);

/** Stops an endpoint that is not on its way to another status; it is gone when its containers are. */
export function deleteEndpoint(state: SageMakerState, body: unknown): void {
  const { EndpointName } = parseInput(z.strictObject({ EndpointName: ResourceName }), body);
  const { arn, status } = requireEndpoint(state, EndpointName);
  if (IN_PROGRESS.has(status))
    throw new AwsError('ValidationException', `Cannot update in-progress endpoint "${arn}".`);
  if (status !== 'Deleting') state.hosting.remove(EndpointName);
}
