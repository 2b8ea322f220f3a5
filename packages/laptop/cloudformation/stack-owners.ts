import { isDeepStrictEqual } from 'node:util';
import { givenIdentifier } from './schemas/resource-schema.ts';
import type { StackRecord } from './stack-record.ts';

/** Id of the stack that has a resource with this identifier; one resource is left out. */
export function ownerIn(
  stacks: readonly StackRecord[],
  type: string,
  identifier: Readonly<Record<string, unknown>>,
  except: { readonly stackId: string; readonly logicalId: string },
): string | undefined {
  return stacks.find(({ stackId, resources }) =>
    resources.some(
      (one) =>
        one.type === type &&
        !(stackId === except.stackId && one.logicalId === except.logicalId) &&
        isDeepStrictEqual(givenIdentifier(type, one.made?.properties ?? {}), identifier),
    ),
  )?.stackId;
}

/** Name of another stack that exports a value under this name. */
export function exporterIn(
  stacks: readonly StackRecord[],
  exportName: string,
  exceptStackId: string,
): string | undefined {
  return stacks.find(
    ({ stackId, outputs }) =>
      stackId !== exceptStackId && outputs.some((output) => output.exportName === exportName),
  )?.stackName;
}
