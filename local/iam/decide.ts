import type { Permission } from '../gateway/permission.ts';
import type { ConditionMatcher } from './condition.ts';
import { conditionMatcher } from './condition.ts';
import { globMatcher } from './glob.ts';
import type { PolicyDocument, Statement } from './policy-document.ts';

/** An explicit Deny wins over every Allow; what nobody allows is denied too. */
export type Decision = 'allowed' | 'explicit-deny' | 'implicit-deny';

/** Policies made ready to be asked many times: identity-based ones, as of a role. */
export function decider(policies: readonly PolicyDocument[]): (permission: Permission) => Decision {
  const statements = policies
    .flatMap(({ Statement: all }) => all)
    .map((statement) => ({ effect: statement.Effect, applies: statementMatcher(statement) }));
  return (permission) => {
    const context = contextOf(permission.context ?? {});
    const effects = statements
      .filter(({ applies }) => applies(permission, context))
      .map(({ effect }) => effect);
    if (effects.includes('Deny')) return 'explicit-deny';
    return effects.includes('Allow') ? 'allowed' : 'implicit-deny';
  };
}

/** Whether a statement speaks of an action on a resource in these circumstances; of whom it speaks is not its matter. */
export function statementMatcher({
  Action,
  Resource,
  Condition,
}: Pick<Statement, 'Action' | 'Resource' | 'Condition'>): (
  asked: Pick<Permission, 'action' | 'resource'>,
  context: Parameters<ConditionMatcher>[0],
) => boolean {
  // Actions know no case.
  const actions = [Action].flat().map((pattern) => globMatcher(pattern.toLowerCase()));
  const resources = [Resource].flat().map(globMatcher);
  const holds = conditionMatcher(Condition ?? {});
  return ({ action, resource }, context) =>
    actions.some((matches) => matches(action.toLowerCase())) &&
    resources.some((matches) => matches(resource)) &&
    holds(context);
}

/** Circumstances by their keys in lower case, as conditions are compared. */
export function contextOf(values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]));
}
