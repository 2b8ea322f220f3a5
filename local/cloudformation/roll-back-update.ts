import type { Site } from '../gateway/service.ts';
import { applyPlan } from './apply-plan.ts';
import { planDeployment } from './deployment-plan.ts';
import type { EventLog } from './event-log.ts';
import { removeResources } from './remove-resources.ts';
import type { ResourceTypes } from './resource-type.ts';
import type { StackRecord, StackResource } from './stack-record.ts';

/**
 * Brings a stack back to the template before an update that has failed: every resource of it to its former properties, then
 * what the update has made goes. Where a resource cannot be brought back nothing is deleted, and all that is there stays known.
 */
export async function rollBackUpdate(
  earlier: StackRecord,
  made: readonly StackResource[],
  { site, types, log }: { readonly site: Site; readonly types: ResourceTypes; readonly log: EventLog },
): Promise<
  Pick<StackRecord, 'resources'> & { readonly status: 'UPDATE_ROLLBACK_COMPLETE' | 'UPDATE_ROLLBACK_FAILED' }
> {
  const added = made.filter(
    (one) =>
      !earlier.resources.some(
        ({ logicalId, type, physicalId }) =>
          type === one.type && (logicalId === one.logicalId || physicalId === one.physicalId),
      ),
  );
  const resources: StackResource[] = [];
  try {
    const { stackName, stackId } = earlier;
    const plan = planDeployment(earlier, { stackName, stackId, site }, types);
    await applyPlan(plan, earlier.resources, resources, { types, log });
  } catch {
    // Its event is in the log, and the error that is thrown is the update's.
    return { status: 'UPDATE_ROLLBACK_FAILED', resources: [...earlier.resources, ...added] };
  }
  log.stack('UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS');
  await removeResources(added, { types, log, madeNow: true });
  return { status: 'UPDATE_ROLLBACK_COMPLETE', resources };
}
