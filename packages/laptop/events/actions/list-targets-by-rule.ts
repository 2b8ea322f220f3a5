import * as z from 'zod';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

const Input = z.strictObject({
  Rule: z.string(),
  EventBusName: DefaultBus,
});

/** `ListTargetsByRule`, in one page: a rule has at most five. */
export function listTargetsByRule(store: RuleStore) {
  return (input: unknown) => {
    const { Rule, EventBusName } = Input.parse(input);
    requireDefaultBus(EventBusName);
    return { Targets: store.rule(Rule).rule.targets };
  };
}
