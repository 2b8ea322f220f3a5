import { createHash } from 'node:crypto';
import type { Executions } from '../../aws/states/executions.ts';
import { toAsciiSlug } from '../../text/ascii-slug.ts';

/** A request to the state machine `endpoint`. */
export interface EndpointRequest {
  /** `restore` goes back to the configuration that served before an execution died during its change. */
  readonly action: 'deploy' | 'delete' | 'restore';
  readonly pipeline: string;
  /** The run to deploy; for `restore` the run that was not deployed, for the message. */
  readonly run?: string;
  /** Replacement of a retired accelerator in the run's plan. */
  readonly accelerator?: 'replace' | 'cpu';
  /** For a deletion: time of the deployment to end. A later deployment is kept. */
  readonly deployedAt?: string;
  /** Reason for the change, for the message. */
  readonly reason?: string;
}

/**
 * Starts the state machine `endpoint`; the same request with the same key is the same execution and starts once, even if
 * its reason differs.
 */
export async function startEndpointChange(
  executions: Pick<Executions, 'start'>,
  request: EndpointRequest,
  key: string,
): Promise<{ readonly arn: string; readonly outcome: 'started' | 'exists' }> {
  const { action, pipeline, run = null, reason = null, accelerator = null, deployedAt = null } = request;
  const input = JSON.stringify({ schema: 1, action, pipeline, run, reason, accelerator, deployedAt });
  const identity = JSON.stringify([action, pipeline, run, accelerator, key]);
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16);
  return executions.start(`${action}-${toAsciiSlug(pipeline, 50)}-${hash}`, input);
}
