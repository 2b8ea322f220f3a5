import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** `ListTargetsByRule`, in one page: a rule has at most five. */
export const listTargetsByRule = (store: RuleStore) =>
  action('ListTargetsByRule', {
    input: z.strictObject({
      Rule: z.string(),
      EventBusName: DefaultBus,
    }),
    run: ({ Rule, EventBusName }) => {
      requireDefaultBus(EventBusName);
      return { Targets: store.rule(Rule).rule.targets };
    },
  });
