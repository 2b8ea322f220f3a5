import type * as z from 'zod';
import { parseProperties } from './property-values.ts';
import type { AppliedResource, ResourceContext, ResourceType, ResourceTypes } from './resource-type.ts';

/**
 * How one CloudFormation type is made. Its properties are checked by a strict schema before they are applied, since ignoring one would
 * promise behavior that this stack does not have.
 */
export function resource<T>(
  type: string,
  made: Omit<ResourceType, 'apply'> & {
    readonly properties: z.ZodType<T>;
    apply(properties: T, context: ResourceContext): Promise<AppliedResource>;
  },
): ResourceTypes {
  const apply: ResourceType['apply'] = async (given, context) =>
    made.apply(parseProperties(type, context.logicalId, made.properties, given), context);
  return { [type]: { ...made, apply } };
}
