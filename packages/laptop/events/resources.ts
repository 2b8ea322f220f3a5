import * as z from 'zod';
import { jsonTextProperty, numberProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import { requireDefaultBus } from './actions/rules.ts';
import { Target } from './rule.ts';
import type { RuleStore } from './rule-store.ts';

const TargetProperties = Target.extend({
  RetryPolicy: z
    .strictObject({
      MaximumRetryAttempts: numberProperty.optional(),
      MaximumEventAgeInSeconds: numberProperty.optional(),
    })
    .optional(),
});

const RuleProperties = z.strictObject({
  Name: z.string().optional(),
  Description: z.string().optional(),
  EventBusName: z.string().optional(),
  EventPattern: jsonTextProperty.optional(),
  ScheduleExpression: z.string().optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  /** Recorded: the roles of targets are what counts on the default bus. */
  RoleArn: z.string().optional(),
  Targets: z.array(TargetProperties).default([]),
  /** Accepted and not kept. */
  Tags: tagsProperty.optional(),
});

/** `AWS::Events::Rule`, on the default bus. */
export function eventResources(store: RuleStore): ResourceTypes {
  return resource('AWS::Events::Rule', {
    properties: RuleProperties,
    apply: async (parsed, { logicalId, physicalId, stackName }) => {
      requireDefaultBus(parsed.EventBusName);
      const name = parsed.Name ?? physicalId ?? `${stackName}-${logicalId}`.slice(0, 64);
      const { arn } = store.put({
        name,
        enabled: parsed.State === 'ENABLED',
        eventPattern: parsed.EventPattern,
        scheduleExpression: parsed.ScheduleExpression,
        description: parsed.Description,
        roleArn: parsed.RoleArn,
      });
      store.setTargets(
        name,
        parsed.Targets.map((target) => Target.parse(target)),
      );
      return { ref: name, attributes: { Arn: arn } };
    },
    remove: async (physicalId) => store.delete(physicalId),
  });
}
