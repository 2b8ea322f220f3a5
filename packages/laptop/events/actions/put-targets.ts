import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { Target } from '../rule.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** `PutTargets`; a target of the same id is replaced. */
export const putTargets = (store: RuleStore) =>
  action('PutTargets', {
    input: z.strictObject({ Rule: z.string(), EventBusName: DefaultBus, Targets: z.array(Target).min(1) }),
    run: ({ Rule, EventBusName, Targets }) => {
      requireDefaultBus(EventBusName);
      const ids = new Set(Targets.map(({ Id }) => Id));
      const others = store.rule(Rule).rule.targets.filter(({ Id }) => !ids.has(Id));
      store.setTargets(Rule, [...others, ...Targets]);
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
  });
