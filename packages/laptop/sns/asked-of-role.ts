import * as z from 'zod';
import type { AskedOfRole } from '../kernel/action.ts';
import type { Permission } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import { keyPermissions } from '../kms/key-permissions.ts';
import type { TopicStore } from './topic-store.ts';

const Asked = z.looseObject({
  TopicArn: z.string().optional().catch(undefined),
  TargetArn: z.string().optional().catch(undefined),
});

/** The permissions that `Publish` asks for. */
export const publishing =
  (store: TopicStore, site: Site): AskedOfRole =>
  (input) => {
    const { TopicArn, TargetArn } = Asked.parse(input);
    return publishPermissions(store, site, TopicArn ?? TargetArn ?? '');
  };

/**
 * A publisher to a topic under a customer's key must be allowed to use that key as well.
 *
 * @throws {AwsError} `NotFound`
 */
export function publishPermissions(store: TopicStore, site: Site, topicArn: string): Permission[] {
  const key = store.topic(topicArn).attributes['KmsMasterKeyId'];
  const publish = { action: 'sns:Publish', resource: topicArn };
  return [publish, ...keyPermissions(site, 'sns', key, ['GenerateDataKey', 'Decrypt'])];
}

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
