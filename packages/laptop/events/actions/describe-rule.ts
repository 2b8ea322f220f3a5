import { action } from '../../kernel/action.ts';
import type { ReadyRule, RuleStore } from '../rule-store.ts';
import { RuleName } from './rule-name.ts';

/** `DescribeRule`. */
export const describeRule = (store: RuleStore) =>
  action('DescribeRule', { input: RuleName, run: (name) => toRuleSummary(store.rule(name)) });

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
