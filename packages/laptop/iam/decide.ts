import type { Permission } from '../kernel/permission.ts';
import { type Circumstances, conditionMatcher } from './condition.ts';
import { globMatcher } from './glob.ts';
import type { PolicyDocument, Statement } from './policy-document.ts';

/** An explicit Deny wins over every Allow; an action that no policy allows is denied too. */
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

/** Whether a statement applies to an action on a resource in these circumstances, regardless of its principals. */
export function statementMatcher({
  Action,
  NotAction,
  Resource,
  NotResource,
  Condition,
}: Omit<Statement, 'Sid' | 'Effect'>): (
  asked: Pick<Permission, 'action' | 'resource'>,
  context: Circumstances,
) => boolean {
  // Actions are case-insensitive.
  const isAction = anyOf(Action ?? NotAction ?? [], (pattern) => globMatcher(pattern.toLowerCase()));
  const isResource = anyOf(Resource ?? NotResource ?? [], globMatcher);
  const holds = conditionMatcher(Condition ?? {});
  return ({ action, resource }, context) =>
    isAction(action.toLowerCase()) === (Action !== undefined) &&
    isResource(resource) === (Resource !== undefined) &&
    holds(context);
}

function anyOf(
  patterns: string | readonly string[],
  matcher: (pattern: string) => (text: string) => boolean,
): (text: string) => boolean {
  const all = [patterns].flat().map(matcher);
  return (text) => all.some((matches) => matches(text));
}

/** Circumstances by their keys in lower case, as conditions are compared. */
export function contextOf(values: Readonly<Record<string, string | readonly string[]>>): Circumstances {
  return new Map(Object.entries(values).map(([key, value]) => [key.toLowerCase(), [value].flat()]));
}
