import { AwsError } from '../../kernel/aws-error.ts';
import type { RuleStore } from '../rule-store.ts';
import { parseRuleName } from './rule-name.ts';

/** `DeleteRule`; its targets must have been removed before. */
export function deleteRule(store: RuleStore) {
  return (input: unknown) => {
    const name = parseRuleName(input);
    const found = store.rules().find(({ rule }) => rule.name === name);
    if (found && found.targets.length > 0) {
      throw new AwsError('ValidationException', "Rule can't be deleted since it has targets.");
    }
    store.delete(name);
  };
}
