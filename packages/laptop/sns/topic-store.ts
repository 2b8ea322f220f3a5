import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseResourcePolicy } from '../iam/resource-policy.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { toConfirmation } from './envelope.ts';
import { filterOf, type MessageFilter } from './filter-policy.ts';
import { postNotification, requireLoopback } from './http-delivery.ts';
import { withSubscriptionAttributes } from './subscription-attributes.ts';
import { Subscription, Topic } from './topic.ts';
import type { Delivery } from './topic-delivery.ts';
import { invalid, type Message } from './topic-message.ts';

/** Topics and their subscriptions. */
export interface TopicStore {
  topics(): Topic[];
  /** @throws {AwsError} `NotFound` */
  topic(arn: string): Topic;
  createTopic(name: string, attributes: Readonly<Record<string, string>>): Topic;
  setTopicAttributes(arn: string, attributes: Readonly<Record<string, string>>): void;
  /** With its subscriptions. */
  deleteTopic(arn: string): void;
  subscriptions(): Subscription[];
  /** @throws {AwsError} `NotFound` */
  subscription(arn: string): Subscription;
  /** The same topic, protocol and endpoint again give the same subscription. @throws {AwsError} `InvalidParameter` */
  subscribe(
    topicArn: string,
    protocol: string,
    endpoint: string,
    attributes: Readonly<Record<string, string>>,
  ): Subscription;
  confirm(topicArn: string, token: string): Subscription;
  setAttributes(arn: string, attributes: Readonly<Record<string, string>>): void;
  unsubscribe(arn: string): void;
  /** Sends to every confirmed subscription whose filter lets the message pass; resolves when queues and functions have it on disk. */
  publish(topicArn: string, message: Message): Promise<void>;
}

/** Opens the topics kept in `dir`. */
export function openTopicStore(
  deps: ServiceBase & {
    readonly delivery: Delivery;
    readonly report: (line: string) => void;
  },
): TopicStore {
  const { dir, site, clock, delivery, report } = deps;
  const topics = openDocuments(join(dir, 'topics.json'), Topic);
  const subscriptions = openDocuments(join(dir, 'subscriptions.json'), Subscription);
  const filters = new Map<string, MessageFilter>();
  for (const subscription of subscriptions.values()) filters.set(subscription.arn, filterOf(subscription));

  const topic = (arn: string): Topic => {
    const found = topics.get(arn);
    if (found) return found;
    const parts = arn.split(':').length;
    if (parts < 6) throw invalid(`TopicArn Reason: An ARN must have at least 6 elements, not ${parts}`);
    throw new AwsError('NotFound', 'Topic does not exist', { statusCode: 404 });
  };
  const subscription = (arn: string): Subscription => {
    const found = subscriptions.get(arn);
    if (found) return found;
    throw new AwsError('NotFound', 'Subscription does not exist', { statusCode: 404 });
  };
  const keep = (next: Subscription): void => {
    filters.set(next.arn, filterOf(next));
    subscriptions.set(next.arn, next);
  };
  const unsubscribe = (arn: string): void => {
    subscriptions.delete(arn);
    filters.delete(arn);
  };
  const askToConfirm = (of: Topic, pending: Subscription): void => {
    const id = randomUUID();
    const headers = {
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
      'x-amz-sns-message-id': id,
      'x-amz-sns-topic-arn': of.arn,
    };
    const body = JSON.stringify(toConfirmation(of, pending, id, clock.now(), site));
    postNotification(pending.endpoint, body, headers, clock).catch((error: unknown) =>
      report(`${pending.endpoint} could not be asked to confirm its subscription: ${String(error)}`),
    );
  };
  return {
    topics: () => [...topics.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1)),
    topic,
    createTopic: (name, attributes) => {
      if (!/^[\w-]{1,256}$/.test(name))
        throw invalid(`Topic Name must be 1 to 256 letters, digits, - and _, is ${name}`);
      checkTopicAttributes(attributes);
      const arn = `arn:${site.partition}:sns:${site.region}:${site.account}:${name}`;
      const next: Topic = { arn, name, attributes: { ...topics.get(arn)?.attributes, ...attributes } };
      topics.set(arn, next);
      return next;
    },
    setTopicAttributes: (arn, attributes) => {
      const before = topic(arn);
      checkTopicAttributes(attributes);
      const policy = attributes['Policy'];
      if (policy) parseResourcePolicy(`of the topic ${before.name}`, policy, 'InvalidParameter');
      topics.set(arn, { ...before, attributes: { ...before.attributes, ...attributes } });
    },
    deleteTopic: (arn) => {
      topics.delete(arn);
      for (const each of [...subscriptions.values()]) if (each.topicArn === arn) unsubscribe(each.arn);
    },
    subscriptions: () => [...subscriptions.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1)),
    subscription,
    subscribe: (topicArn, protocol, endpoint, attributes) => {
      const of = topic(topicArn);
      const parsedProtocol = parseProtocol(protocol, endpoint);
      const arn = `${topicArn}:${toUuid(`${topicArn} ${protocol} ${endpoint}`)}`;
      const existing = subscriptions.get(arn);
      const base: Subscription = existing ?? {
        arn,
        topicArn,
        protocol: parsedProtocol,
        endpoint,
        confirmed: !protocol.startsWith('http'),
        token: randomBytes(32).toString('hex'),
        filterScope: 'MessageAttributes',
        raw: false,
        recorded: {},
      };
      const next = withSubscriptionAttributes(base, attributes);
      keep(next);
      if (!next.confirmed) askToConfirm(of, next);
      return next;
    },
    confirm: (topicArn, token) => {
      topic(topicArn);
      const found = [...subscriptions.values()].find(
        (each) => each.topicArn === topicArn && each.token === token,
      );
      if (!found) throw invalid('Token');
      const next = { ...found, confirmed: true };
      subscriptions.set(next.arn, next);
      return next;
    },
    setAttributes: (arn, attributes) => keep(withSubscriptionAttributes(subscription(arn), attributes)),
    unsubscribe,
    publish: async (topicArn, message) => {
      const to = topic(topicArn);
      const kept: Promise<void>[] = [];
      for (const each of subscriptions.values()) {
        if (each.topicArn !== topicArn || !each.confirmed || !filters.get(each.arn)?.(message)) continue;
        const delivered = delivery.deliver(to, each, message);
        if (each.protocol === 'sqs' || each.protocol === 'lambda') kept.push(delivered);
      }
      await Promise.all(kept);
    },
  };
}

const TOPIC_ATTRIBUTE =
  /^(ArchivePolicy|ContentBasedDeduplication|DataProtectionPolicy|DeliveryPolicy|DisplayName|FifoThroughputScope|FifoTopic|KmsMasterKeyId|Policy|SignatureVersion|TracingConfig|(Application|Firehose|HTTP|Lambda|SQS)(Success|Failure)Feedback(RoleArn|SampleRate))$/;

function checkTopicAttributes(attributes: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(attributes).find((name) => !TOPIC_ATTRIBUTE.test(name));
  if (unknown !== undefined) throw invalid(`Attributes Reason: Unknown attribute ${unknown}`);
  if ((attributes['DisplayName'] ?? '').length > 100)
    throw invalid('Attributes Reason: DisplayName: at most 100 characters');
}

function parseProtocol(protocol: string, endpoint: string): Subscription['protocol'] {
  switch (protocol) {
    case 'http':
    case 'https':
      requireLoopback(protocol, endpoint);
      return protocol;
    case 'email':
    case 'email-json':
      if (!/^[^\s@]+@[^\s@]+$/.test(endpoint)) throw invalid(`Email address ${endpoint}`);
      return protocol;
    case 'sqs':
    case 'lambda':
      if (!endpoint.includes(`:${protocol}:`)) throw invalid(`${protocol} endpoint ARN ${endpoint}`);
      return protocol;
    default:
      throw invalid(
        ['sms', 'application', 'firehose'].includes(protocol)
          ? `Protocol ${protocol}: this stack has email, email-json, http, https, sqs and lambda`
          : `Amazon SNS does not support this protocol string: ${protocol}`,
      );
  }
}

/** The same for the same text, in the form of a UUID. */
function toUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
