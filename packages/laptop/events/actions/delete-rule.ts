import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import type { RuleStore } from '../rule-store.ts';
import { RuleName } from './rule-name.ts';

/** `DeleteRule`; its targets must have been removed before. */
export const deleteRule = (store: RuleStore) =>
  action('DeleteRule', {
    input: RuleName,
    run: (name) => {
      const found = store.rules().find(({ rule }) => rule.name === name);
      if (found && found.targets.length > 0) {
        throw validationException("Rule can't be deleted since it has targets.");
      }
      store.delete(name);
    },
  });
