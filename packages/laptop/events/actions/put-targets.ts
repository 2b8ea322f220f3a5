import * as z from 'zod';
import { Target } from '../rule.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

const Input = z.strictObject({ Rule: z.string(), EventBusName: DefaultBus, Targets: z.array(Target).min(1) });

/** `PutTargets`; a target of the same id is replaced. */
export function putTargets(store: RuleStore) {
  return (input: unknown) => {
    const { Rule, EventBusName, Targets } = Input.parse(input);
    requireDefaultBus(EventBusName);
    const ids = new Set(Targets.map(({ Id }) => Id));
    const others = store.rule(Rule).rule.targets.filter(({ Id }) => !ids.has(Id));
    store.setTargets(Rule, [...others, ...Targets]);
    return { FailedEntryCount: 0, FailedEntries: [] };
  };
}
