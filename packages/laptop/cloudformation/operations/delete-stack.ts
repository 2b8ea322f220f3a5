import type { StackRecord } from '../stack-record.ts';
import { failedReason } from './failed-reason.ts';
import { beginOperation, type OperationDeps, type Outcome } from './operation.ts';
import { removeResources } from './remove-resources.ts';

/** Removes a stack with all that its resources' policies do not retain. */
export async function deleteStack(earlier: StackRecord, deps: OperationDeps): Promise<Outcome> {
  const operation = beginOperation(deps, earlier);
  const { log, status } = operation;
  status('DELETE_IN_PROGRESS', 'User Initiated');
  const left = await removeResources(earlier.resources, operation, { madeNow: false });
  if (left.length > 0)
    return { record: status('DELETE_FAILED', failedReason(operation)), events: log.events };
  return {
    record: status('DELETE_COMPLETE', undefined, { deletedAtMs: deps.clock.now(), outputs: [] }),
    events: log.events,
  };
}
