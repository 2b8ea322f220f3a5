import * as z from 'zod';
import { jsonTextProperty, tagsProperty } from '../cloudformation/property-values.ts';
import { resource } from '../cloudformation/resource.ts';
import type { ResourceTypes } from '../cloudformation/resource-type.ts';
import type { TopicStore } from './topic-store.ts';

const TopicProperties = z.strictObject({
  TopicName: z.string().optional(),
  DisplayName: z.string().optional(),
  FifoTopic: z.literal(false, 'FIFO topics are not emulated by this stack').optional(),
  Subscription: z.array(z.strictObject({ Endpoint: z.string(), Protocol: z.string() })).default([]),
  /** Properties from here on are recorded: they have no meaning on one machine. */
  KmsMasterKeyId: z.string().optional(),
  TracingConfig: z.string().optional(),
  SignatureVersion: z.string().optional(),
  Tags: tagsProperty.optional(),
});

const SubscriptionProperties = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.string(),
  Endpoint: z.string(),
});

const TopicPolicyProperties = z.strictObject({
  Topics: z.array(z.string()).min(1),
  PolicyDocument: jsonTextProperty,
});

/** Topics, subscriptions, and policies (kept on their topics, for `packages/laptop/iam/` to enforce). */
export function topicResources(store: TopicStore): ResourceTypes {
  const takePolicies = (arns: readonly string[]): void => {
    const known = new Set(store.topics().map(({ arn }) => arn));
    for (const arn of arns) if (known.has(arn)) store.setTopicAttributes(arn, { Policy: '' });
  };
  return {
    ...resource('AWS::SNS::Topic', {
      properties: TopicProperties,
      apply: async (parsed, { logicalId, physicalId, stackName }) => {
        const name = parsed.TopicName ?? physicalId?.split(':').at(-1) ?? `${stackName}-${logicalId}`;
        const { DisplayName, KmsMasterKeyId, TracingConfig, SignatureVersion } = parsed;
        const attributes = defined({ DisplayName, KmsMasterKeyId, TracingConfig, SignatureVersion });
        const { arn } = store.createTopic(name, attributes);
        for (const { Protocol, Endpoint } of parsed.Subscription) store.subscribe(arn, Protocol, Endpoint);
        return { ref: arn, attributes: { TopicArn: arn, TopicName: name } };
      },
      remove: async (arn) => store.deleteTopic(arn),
    }),
    ...resource('AWS::SNS::Subscription', {
      properties: SubscriptionProperties,
      apply: async ({ TopicArn, Protocol, Endpoint }, { physicalId }) => {
        const { arn } = store.subscribe(TopicArn, Protocol, Endpoint);
        if (physicalId !== undefined && physicalId !== arn) store.subscriptions.remove(physicalId);
        return { ref: arn, attributes: { Arn: arn } };
      },
      remove: async (arn) => store.subscriptions.remove(arn),
    }),
    ...resource('AWS::SNS::TopicPolicy', {
      properties: TopicPolicyProperties,
      apply: async ({ Topics, PolicyDocument }, { logicalId, physicalId, stackName }) => {
        takePolicies(topicsIn(physicalId).filter((arn) => !Topics.includes(arn)));
        for (const arn of Topics) store.setTopicAttributes(arn, { Policy: PolicyDocument });
        const id = `${stackName}-${logicalId}`;
        return { ref: id, attributes: { Id: id }, physicalId: Topics.join(' ') };
      },
      remove: async (physicalId) => takePolicies(topicsIn(physicalId)),
    }),
  };
}

/** The topics that a policy was given to. */
function topicsIn(physicalId: string | undefined): string[] {
  return physicalId?.split(' ') ?? [];
}

function defined(values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
