import { join } from 'node:path';
import { parseResourcePolicy } from '../iam/resource-policy.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { Subscription, Topic } from './topic.ts';
import type { Deliver } from './topic-delivery.ts';
import { invalid, type Message } from './topic-message.ts';

/** Subscriptions of all topics; each is confirmed from the start. */
interface SubscriptionBook {
  all(): Subscription[];
  /** @throws {AwsError} `NotFound` */
  find(arn: string): Subscription;
  /** The same topic, protocol and endpoint again give the same subscription. @throws {AwsError} `InvalidParameter` */
  add(topicArn: string, protocol: string, endpoint: string): Subscription;
  remove(arn: string): void;
}

/** Opens the subscriptions kept in `dir`. */
function openSubscriptionBook(dir: string): SubscriptionBook {
  const subscriptions = openDocuments(join(dir, 'subscriptions.json'), Subscription);
  return {
    all: () => [...subscriptions.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1)),
    find: (arn) => {
      const found = subscriptions.get(arn);
      if (found) return found;
      throw new AwsError('NotFound', 'Subscription does not exist', { statusCode: 404 });
    },
    add: (topicArn, protocol, endpoint) => {
      const arn = `${topicArn}:${stableUuid(`${topicArn} ${protocol} ${endpoint}`)}`;
      const subscription = { arn, topicArn, protocol: parseProtocol(protocol, endpoint), endpoint };
      subscriptions.set(arn, subscription);
      return subscription;
    },
    remove: (arn) => subscriptions.delete(arn),
  };
}

function parseProtocol(protocol: string, endpoint: string): Subscription['protocol'] {
  switch (protocol) {
    case 'email':
      if (!/^[^\s@]+@[^\s@]+$/.test(endpoint)) throw invalid(`Email address ${endpoint}`);
      return protocol;
    case 'sqs':
      if (!endpoint.includes(':sqs:')) throw invalid(`sqs endpoint ARN ${endpoint}`);
      return protocol;
    default:
      throw invalid(
        ['email-json', 'http', 'https', 'lambda', 'sms', 'application', 'firehose'].includes(protocol)
          ? `Protocol ${protocol}: the local stack does not emulate it, it has email and sqs`
          : `Amazon SNS does not support this protocol string: ${protocol}`,
      );
  }
}

/** Dependencies of the store next to its folder. */
interface TopicStoreOptions extends ServiceBase {
  readonly deliver: Deliver;
}

/** Topics and their subscriptions, kept in `dir`. */
export class TopicStore {
  readonly subscriptions: SubscriptionBook;
  readonly #options: TopicStoreOptions;
  readonly #topics: Documents<Topic>;

  constructor(options: TopicStoreOptions) {
    this.#options = options;
    this.#topics = openDocuments(join(options.dir, 'topics.json'), Topic);
    this.subscriptions = openSubscriptionBook(options.dir);
  }

  topics(): Topic[] {
    return [...this.#topics.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1));
  }

  /** @throws {AwsError} `NotFound` */
  topic(arn: string): Topic {
    const found = this.#topics.get(arn);
    if (found) return found;
    const parts = arn.split(':').length;
    if (parts < 6) throw invalid(`TopicArn Reason: An ARN must have at least 6 elements, not ${parts}`);
    throw new AwsError('NotFound', 'Topic does not exist', { statusCode: 404 });
  }

  createTopic(name: string, attributes: Attributes): Topic {
    if (!/^[\w-]{1,256}$/.test(name))
      throw invalid(`Topic Name must be 1 to 256 letters, digits, - and _, is ${name}`);
    checkTopicAttributes(attributes);
    const { partition, region, account } = this.#options.site;
    const arn = `arn:${partition}:sns:${region}:${account}:${name}`;
    const next: Topic = { arn, name, attributes: { ...this.#topics.get(arn)?.attributes, ...attributes } };
    this.#topics.set(arn, next);
    return next;
  }

  setTopicAttributes(arn: string, attributes: Attributes): void {
    const before = this.topic(arn);
    checkTopicAttributes(attributes);
    const policy = attributes['Policy'];
    if (policy) parseResourcePolicy(`of the topic ${before.name}`, policy, 'InvalidParameter');
    this.#topics.set(arn, { ...before, attributes: { ...before.attributes, ...attributes } });
  }

  deleteTopic(arn: string): void {
    this.#topics.delete(arn);
    for (const each of this.subscriptions.all())
      if (each.topicArn === arn) this.subscriptions.remove(each.arn);
  }

  /** @throws {AwsError} `NotFound`, `InvalidParameter` */
  subscribe(topicArn: string, protocol: string, endpoint: string): Subscription {
    this.topic(topicArn);
    return this.subscriptions.add(topicArn, protocol, endpoint);
  }

  /** Sends to every subscriber; resolves when the queues among them have it on disk. */
  async publish(topicArn: string, message: Message): Promise<void> {
    const topic = this.topic(topicArn);
    const receiving = this.subscriptions.all().filter((each) => each.topicArn === topicArn);
    await Promise.all(receiving.map((each) => this.#options.deliver(topic, each, message)));
  }
}

type Attributes = Readonly<Record<string, string>>;

const TOPIC_ATTRIBUTE =
  /^(ArchivePolicy|ContentBasedDeduplication|DataProtectionPolicy|DeliveryPolicy|DisplayName|FifoThroughputScope|FifoTopic|KmsMasterKeyId|Policy|SignatureVersion|TracingConfig|(Application|Firehose|HTTP|Lambda|SQS)(Success|Failure)Feedback(RoleArn|SampleRate))$/;

function checkTopicAttributes(attributes: Attributes): void {
  const unknown = Object.keys(attributes).find((name) => !TOPIC_ATTRIBUTE.test(name));
  if (unknown !== undefined) throw invalid(`Attributes Reason: Unknown attribute ${unknown}`);
  if ((attributes['DisplayName'] ?? '').length > 100)
    throw invalid('Attributes Reason: DisplayName: at most 100 characters');
}
