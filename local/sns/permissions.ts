import * as z from 'zod';
import type { ActionPermissions, Site } from '../gateway/service.ts';
import type { TopicStore } from './topic-store.ts';

const Asked = z.looseObject({
  TopicArn: z.string().optional().catch(undefined),
  TargetArn: z.string().optional().catch(undefined),
});

/** Who publishes to a topic under a customer's key must be allowed to use that key as well. */
export function snsPermissions(store: TopicStore, { partition, region, account }: Site): ActionPermissions {
  const publishing = (input: unknown) => {
    const { TopicArn, TargetArn } = Asked.parse(input);
    const resource = TopicArn ?? TargetArn ?? '';
    const key = store.topic(resource).attributes['KmsMasterKeyId'];
    const publish = { action: 'sns:Publish', resource };
    if (key === undefined || key === 'alias/aws/sns') return [publish];
    const keyArn = key.startsWith('arn:') ? key : `arn:${partition}:kms:${region}:${account}:key/${key}`;
    return [
      publish,
      { action: 'kms:GenerateDataKey', resource: keyArn },
      { action: 'kms:Decrypt', resource: keyArn },
    ];
  };
  return { Publish: publishing, PublishBatch: publishing };
}
