import { AwsError, validationError } from '../kernel/aws-error.ts';
import { checkReferences, unresolvedDependencies } from './check-references.ts';
import { deploymentOrder } from './deployment-order.ts';
import { holds, resolveValue, type Scope } from './intrinsics.ts';
import { resolveParameters, toValue } from './parameters.ts';
import type { AppliedResource, ResourceTypes } from './resource-type.ts';
import type { StackRecord } from './stack-record.ts';
import { parseTemplate } from './template.ts';

/** A template with its parameters, before anything is made. */
export interface DeploymentPlan {
  readonly scope: Scope;
  /** The text of every declared parameter. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Values for `Ref` and `Fn::GetAtt` of the scope; filled as resources are made. */
  readonly made: Map<string, AppliedResource>;
  /** Logical ids of the resources that are wanted, each after all it refers to. */
  readonly order: readonly string[];
}

/**
 * Reads a template and refuses what can be refused before a resource is touched.
 *
 * @throws {AwsError} `ValidationError` for a template, parameter, type, reference or circle that cannot be deployed
 */
export function planDeployment(
  {
    template: text,
    parameters: given,
  }: { readonly template: string; readonly parameters: Readonly<Record<string, string>> },
  stack: Pick<Scope, 'stackName' | 'stackId' | 'site'>,
  types: ResourceTypes,
): DeploymentPlan {
  const template = parseTemplate(text);
  checkReferences(template);
  const parameters = resolveParameters(template.Parameters, given);
  const values = Object.entries(template.Parameters).flatMap(([name, parameter]) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, toValue(value, parameter)] as const];
  });
  const made = new Map<string, AppliedResource>();
  const scope: Scope = { ...stack, template, parameters: new Map(values), resources: made };
  refuseUnknownTypes(scope, types);
  const order = deploymentOrder(template.Resources).filter((id) =>
    isWanted(template.Resources[id]?.Condition, scope),
  );
  refuseUnwantedReferences(scope, order);
  return { scope, parameters, made, order };
}

/** Whether something with this condition is part of the deployment. */
function isWanted(condition: string | undefined, scope: Scope): boolean {
  return condition === undefined || holds(condition, scope);
}

function refuseUnknownTypes(scope: Scope, types: ResourceTypes): void {
  const unknown = Object.entries(scope.template.Resources)
    .filter(([, { Type, Condition }]) => !Object.hasOwn(types, Type) && isWanted(Condition, scope))
    .map(([, { Type }]) => Type);
  if (unknown.length === 0) return;
  const known = Object.keys(types).sort().join(', ');
  throw validationError(
    `Template format error: Unrecognized resource types: [${[...new Set(unknown)].join(', ')}]. (The local stack makes: ${known})`,
  );
}

/** If a resource's condition is false, the other resources can't refer to it. */
function refuseUnwantedReferences(scope: Scope, order: readonly string[]): void {
  const { Resources, Outputs } = scope.template;
  const wanted = new Set(order);
  const missing = new Set<string>();
  const foreseen = (path: string): string => {
    const [name = path] = path.split('.');
    if (!wanted.has(name)) missing.add(name);
    return path;
  };
  const look = (value: unknown, block: 'Resources' | 'Outputs'): void => {
    resolveForeseen(value, { ...scope, foreseen });
    if (missing.size > 0) throw unresolvedDependencies([...missing], block);
  };
  for (const id of order) look(Resources[id]?.Properties, 'Resources');
  for (const { Condition, Value } of Object.values(Outputs))
    if (isWanted(Condition, scope)) look(Value, 'Outputs');
}

/** A value as far as it is known before its resources exist; undefined if it is not, as in `Fn::Select` of an ARN. */
export function resolveForeseen(value: unknown, scope: Scope): unknown {
  try {
    return resolveValue(value, scope);
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}

/** Outputs of a scope's template if their conditions hold. */
export function outputsOf(scope: Scope): StackRecord['outputs'] {
  return Object.entries(scope.template.Outputs)
    .filter(([, output]) => isWanted(output.Condition, scope))
    .map(([key, { Value, Description, Export }]) => ({
      key,
      value: String(resolveValue(Value, scope)),
      ...(Description === undefined ? {} : { description: Description }),
      ...(Export === undefined ? {} : { exportName: String(resolveValue(Export.Name, scope)) }),
    }));
}
