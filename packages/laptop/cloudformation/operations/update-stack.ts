import { type DeploymentPlan, planDeployment } from '../deployment-plan.ts';
import type { StackRecord, StackResource } from '../stack-record.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { failedReason } from './create-stack.ts';
import { beginOperation, type Operation, type OperationDeps, type Outcome } from './operation.ts';
import { removeResources } from './remove-resources.ts';

/**
 * Brings a stack to a plan, then removes what it no longer has; where the first fails half-way, brings it back.
 *
 * @param stated what the plan's deployment says of the stack: template, parameters, capabilities, …
 */
export async function updateStack(
  plan: DeploymentPlan,
  earlier: StackRecord,
  stated: Partial<StackRecord>,
  deps: OperationDeps,
): Promise<Outcome> {
  const operation = beginOperation(deps, earlier);
  const { log, status } = operation;
  const updatedAtMs = deps.clock.now();
  status('UPDATE_IN_PROGRESS', 'User Initiated', { updatedAtMs });
  const done: Applied[] = [];
  let outputs: StackRecord['outputs'];
  try {
    outputs = await applyPlan(plan, earlier.resources, done, operation);
  } catch (error) {
    status('UPDATE_ROLLBACK_IN_PROGRESS', failedReason(operation));
    return { record: await rollBackUpdate(earlier, done, operation), events: log.events, error };
  }
  status('UPDATE_COMPLETE_CLEANUP_IN_PROGRESS', undefined, { ...stated, outputs });
  const replaced = done.flatMap((one) => one.replaced ?? []);
  // When an update replaces a resource, `UpdateReplacePolicy` decides about the old one.
  const policies = plan.scope.template.Resources;
  await removeResources(
    replaced.map((one) => withPolicy(one, policies[one.logicalId]?.UpdateReplacePolicy)),
    operation,
    { madeNow: false, hasSuccessor: true },
  );
  const gone = operation.record().resources.filter(({ logicalId }) => !plan.order.includes(logicalId));
  const renamed = gone.filter((one) => isStillThere(one, operation.record().resources));
  for (const { logicalId } of renamed) operation.forget(logicalId);
  const left = await removeResources(
    gone.filter((one) => !renamed.includes(one)),
    operation,
    { madeNow: false },
  );
  for (const { logicalId } of left) operation.forget(logicalId);
  const { order } = plan;
  const resources = operation
    .record()
    .resources.toSorted((one, other) => order.indexOf(one.logicalId) - order.indexOf(other.logicalId));
  return { record: status('UPDATE_COMPLETE', undefined, { resources }), events: log.events };
}

function withPolicy(resource: StackResource, policy: StackResource['deletionPolicy']): StackResource {
  const { deletionPolicy: _, ...rest } = resource;
  return { ...rest, ...(policy && { deletionPolicy: policy }) };
}

/** Under another logical id it is still the same thing: its removal would take away what has just been made. */
function isStillThere(gone: StackResource, resources: readonly StackResource[]): boolean {
  return resources.some(
    ({ logicalId, type, physicalId }) =>
      logicalId !== gone.logicalId && type === gone.type && physicalId === gone.physicalId,
  );
}

/**
 * Brings a stack back to the template before a failed update: changed resources get their former properties, then new ones are
 * deleted. If a resource can't be brought back, nothing is deleted, and every resource stays known.
 */
async function rollBackUpdate(
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
