import { action } from '../../kernel/action.ts';
import type { RuleStore } from '../rule-store.ts';
import { RuleName } from './rule-name.ts';

/** `EnableRule` and `DisableRule`. */
export const switchRule = (store: RuleStore, enabled: boolean) =>
  action(enabled ? 'EnableRule' : 'DisableRule', {
    input: RuleName,
    run: (name) => {
      const { rule } = store.rule(name);
      store.put({ ...rule, enabled });
    },
  });
