import * as z from 'zod';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

const Input = z.strictObject({
  Rule: z.string(),
  EventBusName: DefaultBus,
  Ids: z.array(z.string()).min(1),
  Force: z.boolean().optional(),
});

/** `RemoveTargets`; a missing id is not an error. */
export function removeTargets(store: RuleStore) {
  return (input: unknown) => {
    const { Rule, EventBusName, Ids } = Input.parse(input);
    requireDefaultBus(EventBusName);
    store.setTargets(
      Rule,
      store.rule(Rule).rule.targets.filter(({ Id }) => !Ids.includes(Id)),
    );
    return { FailedEntryCount: 0, FailedEntries: [] };
  };
}
