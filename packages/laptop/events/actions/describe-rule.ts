import type { ReadyRule, RuleStore } from '../rule-store.ts';
import { parseRuleName } from './rule-name.ts';

/** `DescribeRule`. */
export function describeRule(store: RuleStore) {
  return (input: unknown) => toRuleSummary(store.rule(parseRuleName(input)));
}

/** A rule as DescribeRule and ListRules show it. */
export function toRuleSummary({ rule, arn }: ReadyRule) {
  return {
    Name: rule.name,
    Arn: arn,
    EventPattern: rule.eventPattern,
    ScheduleExpression: rule.scheduleExpression,
    State: rule.enabled ? 'ENABLED' : 'DISABLED',
    Description: rule.description,
    RoleArn: rule.roleArn,
    EventBusName: 'default',
  };
}
