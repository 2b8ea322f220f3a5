import { planDeployment } from '../deployment-plan.ts';
import type { StackRecord, StackResource } from '../stack-record.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import type { Operation } from './operation.ts';
import { removeResources } from './remove-resources.ts';

/**
 * Brings a stack back to the template before a failed update: changed resources get their former properties, then new ones are
 * deleted. If a resource can't be brought back, nothing is deleted, and every resource stays known.
 */
export async function rollBackUpdate(
  earlier: StackRecord,
  done: readonly Applied[],
  operation: Operation,
): Promise<StackRecord> {
  const { site, types, status } = operation;
  const touched = new Set(
    operation.log.events
      .filter(({ type }) => type !== 'AWS::CloudFormation::Stack')
      .map(({ logicalId }) => logicalId),
  );
  const replacedIds = new Set(done.flatMap(({ replaced }) => replaced?.logicalId ?? []));
  const before = earlier.resources.map((one) =>
    touched.has(one.logicalId) && !replacedIds.has(one.logicalId) ? withoutMade(one) : one,
  );
  const successors = done.filter(({ replaced }) => replaced).map(({ resource }) => resource);
  const added = operation
    .record()
    .resources.filter(({ logicalId, type, physicalId }) =>
      earlier.resources.every(
        (one) => one.logicalId !== logicalId && !(one.type === type && one.physicalId === physicalId),
      ),
    );
  try {
    const { stackName, stackId } = earlier;
    const plan = planDeployment(earlier, { stackName, stackId, site }, types);
    await applyPlan(plan, before, [], operation);
  } catch {
    // Its event is in the log, and the error that is thrown is the update's.
    return status('UPDATE_ROLLBACK_FAILED', undefined, { resources: [...earlier.resources, ...added] });
  }
  status('UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS', undefined, {
    resources: [...restored(earlier, operation), ...added],
  });
  await removeResources(successors, operation, { madeNow: true, hasSuccessor: true });
  await removeResources(added, operation, { madeNow: true });
  return status('UPDATE_ROLLBACK_COMPLETE', undefined, { resources: restored(earlier, operation) });
}

/** The former resources, those that were brought back as they are now. */
function restored(earlier: StackRecord, operation: Operation): StackResource[] {
  const { resources } = operation.record();
  return earlier.resources.map((one) => {
    const now = resources.find(
      ({ logicalId, physicalId }) => logicalId === one.logicalId && physicalId === one.physicalId,
    );
    return now ?? one;
  });
}

function withoutMade(resource: StackResource): StackResource {
  const { made: _, ...rest } = resource;
  return rest;
}
