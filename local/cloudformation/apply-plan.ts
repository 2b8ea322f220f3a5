import * as z from 'zod';
import type { DeploymentPlan } from './deployment-plan.ts';
import { isWanted } from './deployment-plan.ts';
import type { EventLog } from './event-log.ts';
import { resolveValue } from './intrinsics.ts';
import type { ResourceTypes } from './resource-type.ts';
import type { StackRecord, StackResource } from './stack-record.ts';

/**
 * Brings every resource of a plan up, in order; `made` has each as soon as it is there, also where a later one fails.
 *
 * @throws {unknown} what the first resource that cannot be made throws, after its event
 */
export async function applyPlan(
  { scope, made: applied, order }: DeploymentPlan,
  before: readonly StackResource[],
  made: StackResource[],
  { types, log }: { readonly types: ResourceTypes; readonly log: EventLog },
): Promise<StackRecord['outputs']> {
  const known = new Map(before.map((one) => [one.logicalId, one]));
  for (const logicalId of order) {
    const resource = scope.template.Resources[logicalId];
    const type = resource && types[resource.Type];
    if (!resource || !type) continue;
    const formerly = known.get(logicalId);
    const physicalId = formerly?.type === resource.Type ? formerly.physicalId : undefined;
    const verb = physicalId === undefined ? 'CREATE' : 'UPDATE';
    const named = { logicalId, type: resource.Type };
    try {
      const properties = z.record(z.string(), z.unknown()).parse(resolveValue(resource.Properties, scope));
      const { stackName, site } = scope;
      const result = await type.apply(properties, { stackName, logicalId, physicalId, site });
      applied.set(logicalId, result);
      const it = { ...named, physicalId: result.physicalId ?? result.ref };
      made.push({ ...it, ...(resource.DeletionPolicy && { deletionPolicy: resource.DeletionPolicy }) });
      log.resource(it, `${verb}_COMPLETE`);
    } catch (error) {
      log.resource({ ...named, physicalId: physicalId ?? '' }, `${verb}_FAILED`, error);
      throw error;
    }
  }
  return outputsOf(scope);
}

function outputsOf(scope: DeploymentPlan['scope']): StackRecord['outputs'] {
  return Object.entries(scope.template.Outputs)
    .filter(([, output]) => isWanted(output.Condition, scope))
    .map(([key, { Value, Description }]) => ({
      key,
      value: String(resolveValue(Value, scope)),
      ...(Description === undefined ? {} : { description: Description }),
    }));
}
