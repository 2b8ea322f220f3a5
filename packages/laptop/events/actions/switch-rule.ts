import type { RuleStore } from '../rule-store.ts';
import { parseRuleName } from './rule-name.ts';

/** `EnableRule` and `DisableRule`. */
export function switchRule(store: RuleStore, enabled: boolean) {
  return (input: unknown) => {
    const { rule } = store.rule(parseRuleName(input));
    store.put({ ...rule, enabled });
  };
}
