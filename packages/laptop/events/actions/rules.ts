import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError, validationException } from '../../kernel/aws-error.ts';
import { Target } from '../rule.ts';
import type { ReadyRule, RuleStore } from '../rule-store.ts';

/** The member with which calls name their bus, by name or ARN; this stack has the default bus only. */
const DefaultBus = z.string().optional();

/** @throws {AwsError} `ResourceNotFoundException` for any bus but the default one */
export function requireDefaultBus(name: string | undefined): void {
  const bus = name?.split('/').at(-1) ?? 'default';
  if (bus === 'default') return;
  throw new AwsError(
    'ResourceNotFoundException',
    `Event bus ${bus} does not exist: this stack has the default bus only.`,
  );
}

/** The rule's name, for calls that take little else. */
const RuleName = z
  .strictObject({ Name: z.string(), EventBusName: DefaultBus, Force: z.boolean().optional() })
  .transform(({ Name, EventBusName }) => {
    requireDefaultBus(EventBusName);
    return Name;
  });

/** Calls on rules and their targets. */
export const ruleActions = (store: RuleStore) => [
  /** `PutRule`; the targets of a rule that is there already stay. */
  action('PutRule', {
    input: z.strictObject({
      Name: z.string().regex(/^[\w.-]{1,64}$/),
      EventBusName: DefaultBus,
      EventPattern: z.string().optional(),
      ScheduleExpression: z.string().optional(),
      State: z
        .enum(['ENABLED', 'DISABLED', 'ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS'])
        .default('ENABLED'),
      Description: z.string().max(512).optional(),
      RoleArn: z.string().optional(),
    }),
    run: (parsed) => {
      requireDefaultBus(parsed.EventBusName);
      if (parsed.EventPattern === undefined && parsed.ScheduleExpression === undefined)
        throw validationException('Parameter(s) EventPattern or ScheduleExpression must be specified.');
      const { arn } = store.put({
        name: parsed.Name,
        enabled: parsed.State !== 'DISABLED',
        eventPattern: parsed.EventPattern,
        scheduleExpression: parsed.ScheduleExpression,
        description: parsed.Description,
        roleArn: parsed.RoleArn,
      });
      return { RuleArn: arn };
    },
  }),
  /** `DescribeRule`. */
  action('DescribeRule', { input: RuleName, run: (name) => toRuleSummary(store.rule(name)) }),
  /** `ListRules`, in the order of names; the token is the last name given. */
  action('ListRules', {
    input: z.strictObject({
      NamePrefix: z.string().default(''),
      EventBusName: DefaultBus,
      Limit: z.number().int().min(1).max(100).default(100),
      NextToken: z.string().optional(),
    }),
    run: ({ NamePrefix, EventBusName, Limit, NextToken = '' }) => {
      requireDefaultBus(EventBusName);
      const rules = store
        .rules()
        .filter(({ rule: { name } }) => name.startsWith(NamePrefix) && name > NextToken);
      const page = rules.slice(0, Limit);
      return {
        Rules: page.map(toRuleSummary),
        NextToken: rules.length > page.length ? page.at(-1)?.rule.name : undefined,
      };
    },
  }),
  /** `DeleteRule`; its targets must have been removed before. */
  action('DeleteRule', {
    input: RuleName,
    run: (name) => {
      const found = store.rules().find(({ rule }) => rule.name === name);
      if (found && found.targets.length > 0)
        throw validationException("Rule can't be deleted since it has targets.");
      store.delete(name);
    },
  }),
  /** `PutTargets`; a target of the same id is replaced. */
  action('PutTargets', {
    input: z.strictObject({ Rule: z.string(), EventBusName: DefaultBus, Targets: z.array(Target).min(1) }),
    run: ({ Rule, EventBusName, Targets }) => {
      requireDefaultBus(EventBusName);
      const ids = new Set(Targets.map(({ Id }) => Id));
      const others = store.rule(Rule).rule.targets.filter(({ Id }) => !ids.has(Id));
      store.setTargets(Rule, [...others, ...Targets]);
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
  }),
  /** `RemoveTargets`; a missing id is not an error. */
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
  }),
  /** `ListTargetsByRule`, in one page: a rule has at most five. */
  action('ListTargetsByRule', {
    input: z.strictObject({
      Rule: z.string(),
      EventBusName: DefaultBus,
    }),
    run: ({ Rule, EventBusName }) => {
      requireDefaultBus(EventBusName);
      return { Targets: store.rule(Rule).rule.targets };
    },
  }),
];

/** A rule as DescribeRule and ListRules show it. */
function toRuleSummary({ rule, arn }: ReadyRule) {
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
