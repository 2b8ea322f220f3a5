import { AwsError } from '../gateway/aws-error.ts';
import { deploymentOrder } from './deployment-order.ts';
import type { Scope } from './intrinsics.ts';
import { holds } from './intrinsics.ts';
import { resolveParameters } from './parameters.ts';
import type { AppliedResource, ResourceTypes } from './resource-type.ts';
import { parseTemplate } from './template.ts';

/** A template with its parameters, before anything is made. */
export interface DeploymentPlan {
  readonly scope: Scope;
  /** What `Ref` and `Fn::GetAtt` of the scope see; filled as resources are made. */
  readonly made: Map<string, AppliedResource>;
  /** Logical ids of the resources that are wanted, each after all it refers to. */
  readonly order: readonly string[];
}

/**
 * Reads a template and refuses what can be refused before a resource is touched.
 *
 * @throws {AwsError} `ValidationError` for a template, parameter, type or circle that cannot be deployed
 */
export function planDeployment(
  {
    template: text,
    parameters,
  }: { readonly template: string; readonly parameters: Readonly<Record<string, string>> },
  stack: Pick<Scope, 'stackName' | 'stackId' | 'site'>,
  types: ResourceTypes,
): DeploymentPlan {
  const template = parseTemplate(text);
  const made = new Map<string, AppliedResource>();
  const scope: Scope = {
    ...stack,
    template,
    parameters: resolveParameters(template.Parameters, parameters),
    resources: made,
  };
  refuseUnknownTypes(scope, types);
  const order = deploymentOrder(template.Resources).filter((id) =>
    isWanted(template.Resources[id]?.Condition, scope),
  );
  return { scope, made, order };
}

/** Whether something with this condition is part of the deployment. */
export function isWanted(condition: string | undefined, scope: Scope): boolean {
  return condition === undefined || holds(condition, scope);
}

function refuseUnknownTypes(scope: Scope, types: ResourceTypes): void {
  const unknown = Object.entries(scope.template.Resources)
    .filter(([, { Type, Condition }]) => !Object.hasOwn(types, Type) && isWanted(Condition, scope))
    .map(([id, { Type }]) => `${id} (${Type})`);
  if (unknown.length === 0) return;
  const known = Object.keys(types).sort().join(', ');
  throw new AwsError(
    'ValidationError',
    `The local stack cannot make ${unknown.join(', ')}. It makes: ${known}`,
  );
}
