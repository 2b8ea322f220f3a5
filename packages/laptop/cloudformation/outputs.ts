import { isWanted } from './deployment-plan.ts';
import { resolveValue, type Scope } from './intrinsics.ts';
import type { StackRecord } from './stack-record.ts';

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
