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
