import type { Site } from '../kernel/service.ts';

/** The policy of a topic that was given none: what works for its owner may publish, but for services that name accounts otherwise. */
export function defaultTopicPolicy({ account }: Site, topicArn: string): string {
  const Statement = {
    Sid: '__default_statement_ID',
    Effect: 'Allow',
    Principal: { AWS: '*' },
    Action: 'sns:Publish',
    Resource: topicArn,
    Condition: { StringEquals: { 'AWS:SourceOwner': account } },
  };
  return JSON.stringify({ Version: '2008-10-17', Id: '__default_policy_ID', Statement: [Statement] });
}
