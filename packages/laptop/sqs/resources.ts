import * as z from 'zod';
import {
  booleanProperty,
  jsonTextProperty,
  numberProperty,
  tagsProperty,
} from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { Site } from '../kernel/service.ts';
import { parseQueueUrl, queueArn, toQueueUrl } from './queue-address.ts';
import type { QueueStore } from './queue-store.ts';

const QueueProperties = z.strictObject({
  QueueName: z.string().optional(),
  VisibilityTimeout: numberProperty.optional(),
  DelaySeconds: numberProperty.optional(),
  MaximumMessageSize: numberProperty.optional(),
  MessageRetentionPeriod: numberProperty.optional(),
  ReceiveMessageWaitTimeSeconds: numberProperty.optional(),
  RedrivePolicy: jsonTextProperty.optional(),
  RedriveAllowPolicy: jsonTextProperty.optional(),
  SqsManagedSseEnabled: booleanProperty.optional(),
  KmsMasterKeyId: z.string().optional(),
  KmsDataKeyReusePeriodSeconds: numberProperty.optional(),
  /** Accepted and not kept. */
  Tags: tagsProperty.optional(),
});

const QueuePolicyProperties = z.strictObject({
  Queues: z.array(z.string()).min(1, 'Queues are required'),
  PolicyDocument: jsonTextProperty,
});

/** `AWS::SQS::Queue` and `AWS::SQS::QueuePolicy`; a policy is kept on its queues, for `packages/laptop/iam/` to enforce. */
export function queueResources(store: QueueStore, site: Site): ResourceTypes {
  const takePolicies = (names: readonly string[]): void => {
    for (const name of names) if (store.record(name)) store.setAttributes(name, { Policy: '' });
  };
  return {
    ...resource('AWS::SQS::Queue', {
      properties: QueueProperties,
      apply: async (parsed, { logicalId, physicalId, stackName }) => {
        const { QueueName, Tags: _tags, ...settings } = parsed;
        const name = QueueName ?? (physicalId ? parseQueueUrl(physicalId) : `${stackName}-${logicalId}`);
        const attributes = Object.fromEntries(
          Object.entries(settings).flatMap(([key, value]) =>
            value === undefined ? [] : [[key, String(value)]],
          ),
        );
        const before = store.record(name);
        // A queue's policy is a resource of its own, and stands until that one is deployed.
        const Policy = before?.settings.recorded['Policy'] ?? '';
        if (before) store.resetAttributes(name, { ...attributes, Policy });
        else store.create(name, attributes);
        const url = toQueueUrl(site, name);
        return {
          ref: url,
          physicalId: name,
          attributes: { Arn: queueArn(site, name), QueueName: name, QueueUrl: url },
        };
      },
      remove: async (physicalId) => {
        if (store.record(parseQueueUrl(physicalId))) store.delete(parseQueueUrl(physicalId));
      },
    }),
    ...resource('AWS::SQS::QueuePolicy', {
      properties: QueuePolicyProperties,
      apply: async ({ Queues, PolicyDocument }, { logicalId, physicalId, stackName }) => {
        const names = Queues.map((url) => parseQueueUrl(url));
        takePolicies(queuesIn(physicalId).filter((name) => !names.includes(name)));
        for (const name of names) store.setAttributes(name, { Policy: PolicyDocument });
        const id = `${stackName}-${logicalId}`;
        return { ref: id, attributes: { Id: id }, physicalId: names.join(' ') };
      },
      remove: async (physicalId) => takePolicies(queuesIn(physicalId)),
    }),
  };
}

/** The queues that a policy was given to. */
function queuesIn(physicalId: string | undefined): string[] {
  return physicalId?.split(' ') ?? [];
}
