import { isDeepStrictEqual } from 'node:util';
import type { ChangeSetRecord } from './change-set-record.ts';
import { type DeploymentPlan, outputsOf, resolveForeseen } from './deployment-plan.ts';
import type { Scope } from './intrinsics.ts';
import { referencesOf } from './references.ts';
import type { AppliedResource } from './resource-type.ts';
import { replacingProperties } from './schemas/resource-schema.ts';
import type { StackRecord, StackResource } from './stack-record.ts';
import { parseTemplate } from './template.ts';

/** The change that a deployment would make to one resource, as change sets keep it. */
export type ResourceChange = ChangeSetRecord['changes'][number];

/** The changes that a plan would make to a stack, in the order of the deployment; then the removals. */
export function resourceChanges(
  plan: DeploymentPlan,
  earlier: StackRecord | undefined,
): readonly ResourceChange[] {
  const before = new Map(earlier?.resources.map((one) => [one.logicalId, one]));
  const formerTemplate = earlier && earlier.template !== '' ? parseTemplate(earlier.template) : undefined;
  const known = new Map<string, AppliedResource>();
  const scope: Scope = { ...plan.scope, resources: known, foreseen: (path) => `{{${path}}}` };
  const isElsewhere = earlier?.endpoint !== plan.scope.site.endpoint();
  const changes: ResourceChange[] = [];
  for (const logicalId of plan.order) {
    const resource = plan.scope.template.Resources[logicalId];
    if (!resource) continue;
    const { Type: type, Properties, DeletionPolicy: policy } = resource;
    const former = before.get(logicalId);
    if (!former) {
      changes.push({ action: 'Add', logicalId, type, parts: [] });
      continue;
    }
    const names = changedNames(resolveForeseen(Properties, scope), former);
    const replacing = replacingProperties(type, names);
    const raw = formerTemplate?.Resources[logicalId]?.Properties ?? {};
    const parts: ResourceChange['parts'] = names.map((name) => ({
      name,
      isProperty: true,
      replaces: replacing.includes(name),
      source: sourceOf(raw[name], Properties[name], plan),
    }));
    if (policy !== former.deletionPolicy)
      parts.push({
        name: 'DeletionPolicy',
        isProperty: false,
        replaces: false,
        source: 'DirectModification',
      });
    if (replacing.length === 0 && former.made) known.set(logicalId, former.made);
    if (parts.length > 0 || isElsewhere)
      changes.push({ action: 'Modify', logicalId, physicalId: former.physicalId, type, parts });
  }
  const gone = [...before.values()].filter(({ logicalId }) => !plan.order.includes(logicalId));
  for (const { logicalId, physicalId, type, deletionPolicy: policy } of gone)
    changes.push({ action: 'Remove', logicalId, physicalId, type, parts: [], ...(policy && { policy }) });
  return changes;
}

/** Whether a plan's outputs are others than a stack has. */
export function changesOutputs(plan: DeploymentPlan, { outputs, resources }: StackRecord): boolean {
  const known = new Map(
    resources.flatMap(({ logicalId, made }) => (made ? [[logicalId, made] as const] : [])),
  );
  return !isDeepStrictEqual(
    outputsOf({ ...plan.scope, resources: known, foreseen: (path) => `{{${path}}}` }),
    outputs,
  );
}

/** Properties in which resolved ones differ from those that a resource was made of. */
export function changedNames(resolved: unknown, { made }: StackResource): readonly string[] {
  const next = toRecord(resolved);
  const former = made?.properties ?? {};
  return [...new Set([...Object.keys(former), ...Object.keys(next)])].filter(
    (name) => !isDeepStrictEqual(former[name], next[name]),
  );
}

function sourceOf(
  former: unknown,
  next: unknown,
  { scope }: DeploymentPlan,
): ResourceChange['parts'][number]['source'] {
  if (!isDeepStrictEqual(former, next)) return 'DirectModification';
  const names = [...referencesOf(next)];
  return names.some((name) => Object.hasOwn(scope.template.Resources, name))
    ? 'ResourceReference'
    : 'ParameterReference';
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
