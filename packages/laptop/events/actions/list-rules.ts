import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';
import { toRuleSummary } from './describe-rule.ts';

/** `ListRules`, in the order of names; the token is the last name given. */
export const listRules = (store: RuleStore) =>
  action('ListRules', {
    input: z.strictObject({
      NamePrefix: z.string().default(''),
      EventBusName: DefaultBus,
      Limit: z.number().int().min(1).max(100).default(100),
      NextToken: z.string().optional(),
    }),
    run: ({ NamePrefix, EventBusName, Limit, NextToken = '' }) => {
      requireDefaultBus(EventBusName);
      const rules = store
        .rules()
        .filter(({ rule: { name } }) => name.startsWith(NamePrefix) && name > NextToken);
      const page = rules.slice(0, Limit);
      return {
        Rules: page.map(toRuleSummary),
        NextToken: rules.length > page.length ? page.at(-1)?.rule.name : undefined,
      };
    },
  });
