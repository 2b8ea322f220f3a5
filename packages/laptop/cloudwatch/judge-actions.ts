import * as z from 'zod';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { TopicPublisher } from '../kernel/ports.ts';
import type { Alarm } from './alarm.ts';

const Actions = z.object({
  AlarmActions: z.array(z.string()).default([]),
  OKActions: z.array(z.string()).default([]),
  InsufficientDataActions: z.array(z.string()).default([]),
});

/**
 * Why alarms could not reach the topics of their actions, in AWS's words. Actions are not carried out here, so this is reported
 * before an alarm in AWS stays silent.
 */
export function judgeActions(
  alarms: Iterable<Alarm>,
  topics: Pick<TopicPublisher, 'permissions'>,
  access: ServiceAccess,
): string[] {
  return [...alarms].flatMap(({ name, arn, properties }) => {
    const { AlarmActions, OKActions, InsufficientDataActions } = Actions.parse(properties);
    const all = new Set([...AlarmActions, ...OKActions, ...InsufficientDataActions]);
    return [...all]
      .filter((action) => action.split(':')[2] === 'sns')
      .flatMap((topicArn) => {
        const refusal = refusalOf(arn, topicArn, topics, access);
        if (refusal === null) return [];
        return [`alarm ${name}: Failed to execute action ${topicArn}. Received error: "${refusal}"`];
      });
  });
}

function refusalOf(
  sourceArn: string,
  topicArn: string,
  topics: Pick<TopicPublisher, 'permissions'>,
  access: ServiceAccess,
): string | null {
  try {
    return access.refusal({ service: 'cloudwatch.amazonaws.com', sourceArn }, topics.permissions(topicArn));
  } catch (error) {
    if (error instanceof AwsError) return error.message;
    throw error;
  }
}
