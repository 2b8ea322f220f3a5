import type { DeploymentPlan } from '../deployment-plan.ts';
import type { StackRecord } from '../stack-record.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { failedReason } from './failed-reason.ts';
import { beginOperation, type OperationDeps, type Outcome } from './operation.ts';
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
