import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** `ListRuleNamesByTarget`, in one page. */
export const listRuleNamesByTarget = (store: RuleStore) =>
  action('ListRuleNamesByTarget', {
    input: z.strictObject({ TargetArn: z.string(), EventBusName: DefaultBus }),
    run: ({ TargetArn, EventBusName }) => {
      requireDefaultBus(EventBusName);
      const rules = store.rules().filter(({ rule }) => rule.targets.some(({ Arn }) => Arn === TargetArn));
      return { RuleNames: rules.map(({ rule }) => rule.name) };
    },
  });
