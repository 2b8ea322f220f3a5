import * as z from 'zod';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

const Input = z.strictObject({ TargetArn: z.string(), EventBusName: DefaultBus });

/** `ListRuleNamesByTarget`, in one page. */
export function listRuleNamesByTarget(store: RuleStore) {
  return (input: unknown) => {
    const { TargetArn, EventBusName } = Input.parse(input);
    requireDefaultBus(EventBusName);
    const rules = store.rules().filter(({ rule }) => rule.targets.some(({ Arn }) => Arn === TargetArn));
    return { RuleNames: rules.map(({ rule }) => rule.name) };
  };
}
