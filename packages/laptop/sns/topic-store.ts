import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseResourcePolicy } from '../iam/resource-policy.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { openDocuments } from '../storage/document-file.ts';
import { toConfirmation } from './envelope.ts';
import { postNotification } from './http-delivery.ts';
import { withSubscriptionAttributes } from './subscription-attributes.ts';
import { openSubscriptionBook } from './subscription-book.ts';
import { type Subscription, Topic } from './topic.ts';
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
  const subscriptions = openSubscriptionBook(dir);

  const topic = (arn: string): Topic => {
    const found = topics.get(arn);
    if (found) return found;
    const parts = arn.split(':').length;
    if (parts < 6) throw invalid(`TopicArn Reason: An ARN must have at least 6 elements, not ${parts}`);
    throw new AwsError('NotFound', 'Topic does not exist', { statusCode: 404 });
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
      for (const each of subscriptions.all()) if (each.topicArn === arn) subscriptions.remove(each.arn);
    },
    subscriptions: subscriptions.all,
    subscription: subscriptions.find,
    subscribe: (topicArn, protocol, endpoint, attributes) => {
      const of = topic(topicArn);
      const next = withSubscriptionAttributes(subscriptions.of(topicArn, protocol, endpoint), attributes);
      subscriptions.keep(next);
      if (!next.confirmed) askToConfirm(of, next);
      return next;
    },
    confirm: (topicArn, token) => {
      topic(topicArn);
      const found = subscriptions.all().find((each) => each.topicArn === topicArn && each.token === token);
      if (!found) throw invalid('Token');
      const next = { ...found, confirmed: true };
      subscriptions.keep(next);
      return next;
    },
    setAttributes: (arn, attributes) =>
      subscriptions.keep(withSubscriptionAttributes(subscriptions.find(arn), attributes)),
    unsubscribe: subscriptions.remove,
    publish: async (topicArn, message) => {
      const to = topic(topicArn);
      const kept: Promise<void>[] = [];
      for (const each of subscriptions.receiving(topicArn, message)) {
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
