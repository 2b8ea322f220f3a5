import type { ExecutionDescription } from '../../aws/states/executions.ts';
import type { Application } from '../application.ts';
import { followRun } from './follow-run.ts';
import type { Terminal } from './terminal.ts';

/** Interval between polls of an execution in AWS, which limits the rate of its API. */
const INTERVAL_MS = 2_000;
const LOCAL_INTERVAL_MS = 200;
const APPEAR_WITHIN_MS = 60_000;

/** Follows a change of an endpoint to its end. */
export function awaitEndpointChange(
  { endpointChanges }: Application,
  arn: string,
  terminal: Terminal,
): Promise<ExecutionDescription> {
  return followRun(endpointChanges, arn, terminal, {
    intervalMs: process.env.AWS_ENDPOINT_URL === undefined ? INTERVAL_MS : LOCAL_INTERVAL_MS,
    appearWithinMs: APPEAR_WITHIN_MS,
  });
}
