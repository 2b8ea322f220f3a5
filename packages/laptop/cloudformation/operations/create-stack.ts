import type { DeploymentPlan } from '../deployment-plan.ts';
import type { StackRecord } from '../stack-record.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { beginOperation, type Operation, type OperationDeps, type Outcome } from './operation.ts';
import { removeResources } from './remove-resources.ts';

/** Creates everything in a plan; on a failure, deletes what it has created. */
export async function createStack(
  plan: DeploymentPlan,
  stated: StackRecord,
  deps: OperationDeps,
): Promise<Outcome> {
  const operation = beginOperation(deps, stated);
  const { log, status } = operation;
  status('CREATE_IN_PROGRESS', 'User Initiated');
  const done: Applied[] = [];
  try {
    const outputs = await applyPlan(plan, [], done, operation);
    return { record: status('CREATE_COMPLETE', undefined, { outputs }), events: log.events };
  } catch (error) {
    status('ROLLBACK_IN_PROGRESS', `${failedReason(operation)}Rollback requested by user.`);
    const left = await removeResources(operation.record().resources, operation, { madeNow: true });
    const end = left.length === 0 ? 'ROLLBACK_COMPLETE' : 'ROLLBACK_FAILED';
    return { record: status(end), events: log.events, error };
  }
}

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

/** Why an operation is undone, in AWS's words: `The following resource(s) failed to create: [Queue]. ` */
export function failedReason({ log }: Operation): string {
  const named = (status: string, verb: string): string => {
    const failed = log.events.filter((event) => event.status === status).map(({ logicalId }) => logicalId);
    return failed.length === 0 ? '' : `The following resource(s) failed to ${verb}: [${failed.join(', ')}]. `;
  };
  return (
    named('CREATE_FAILED', 'create') + named('UPDATE_FAILED', 'update') + named('DELETE_FAILED', 'delete')
  );
}
