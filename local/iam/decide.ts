import type { Permission } from '../gateway/permission.ts';
import { conditionMatcher } from './condition.ts';
import { globMatcher } from './glob.ts';
import type { PolicyDocument, Statement } from './policy-document.ts';

/** An explicit Deny wins over every Allow; what nobody allows is denied too. */
export type Decision = 'allowed' | 'explicit-deny' | 'implicit-deny';

/** Policies made ready to be asked many times: identity-based ones, as of a role. */
export function decider(policies: readonly PolicyDocument[]): (permission: Permission) => Decision {
  const statements = policies.flatMap(({ Statement: all }) => [all].flat()).map(toMatcher);
  return (permission) => {
    const effects = statements.filter(({ applies }) => applies(permission)).map(({ effect }) => effect);
    if (effects.includes('Deny')) return 'explicit-deny';
    return effects.includes('Allow') ? 'allowed' : 'implicit-deny';
  };
}

function toMatcher({ Effect, Action, Resource, Condition }: Statement): {
  readonly effect: Statement['Effect'];
  readonly applies: (permission: Permission) => boolean;
} {
  // Actions know no case.
  const actions = [Action].flat().map((pattern) => globMatcher(pattern.toLowerCase()));
  const resources = [Resource].flat().map(globMatcher);
  const holds = conditionMatcher(Condition ?? {});
  return {
    effect: Effect,
    applies: ({ action, resource, context = {} }) =>
      actions.some((matches) => matches(action.toLowerCase())) &&
      resources.some((matches) => matches(resource)) &&
      holds(context),
  };
}
