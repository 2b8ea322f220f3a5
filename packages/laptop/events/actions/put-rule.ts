import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationException } from '../../kernel/aws-error.ts';
import type { RuleStore } from '../rule-store.ts';
import { DefaultBus, requireDefaultBus } from './default-bus.ts';

/** `PutRule`; the targets of a rule that is there already stay. */
export const putRule = (store: RuleStore) =>
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
      if (parsed.EventPattern === undefined && parsed.ScheduleExpression === undefined) {
        throw validationException('Parameter(s) EventPattern or ScheduleExpression must be specified.');
      }
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
  });
