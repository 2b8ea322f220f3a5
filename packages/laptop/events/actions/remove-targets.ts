import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** `RemoveTargets`; a missing id is not an error. */
export const removeTargets = (store: RuleStore) =>
  action('RemoveTargets', {
    input: z.strictObject({
      Rule: z.string(),
      EventBusName: DefaultBus,
      Ids: z.array(z.string()).min(1),
      Force: z.boolean().optional(),
    }),
    run: ({ Rule, EventBusName, Ids }) => {
      requireDefaultBus(EventBusName);
      store.setTargets(
        Rule,
        store.rule(Rule).rule.targets.filter(({ Id }) => !Ids.includes(Id)),
      );
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
  });
