import { resourceSchemaOf, topLevelNames } from './resource-schema.ts';

/** Names among `names` that replace a resource of this type when they change ("Update requires: Replacement"). */
export function replacingProperties(type: string, names: readonly string[]): readonly string[] {
  const createOnly = topLevelNames(resourceSchemaOf(type)?.createOnlyProperties ?? []);
  return names.filter((name) => createOnly.includes(name));
}

/**
 * Identifier of a resource if its template names it, as in `{"FunctionName": "resize"}`; undefined if CloudFormation or the service
 * chooses the name.
 */
export function givenIdentifier(
  type: string,
  properties: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const pointers = resourceSchemaOf(type)?.primaryIdentifier ?? [];
  const names = topLevelNames(pointers);
  const isGiven = pointers.length > 0 && names.every((name) => properties[name] !== undefined);
  return isGiven ? Object.fromEntries(names.map((name) => [name, properties[name]])) : undefined;
}
