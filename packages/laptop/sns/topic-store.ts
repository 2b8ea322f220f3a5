import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parseResourcePolicy } from '../iam/resource-policy.ts';
import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceBase } from '../kernel/service.ts';
import { type Documents, openDocuments } from '../storage/document-file.ts';
import { toConfirmation } from './envelope.ts';
import { postNotification } from './http-delivery.ts';
import { withSubscriptionAttributes } from './subscription-attributes.ts';
import { openSubscriptionBook, type SubscriptionBook } from './subscription-book.ts';
import { type Subscription, Topic } from './topic.ts';
import type { TopicDelivery } from './topic-delivery.ts';
import { invalid, type Message } from './topic-message.ts';

/** What the store needs beside its folder. */
interface TopicStoreOptions extends ServiceBase {
  readonly delivery: Pick<TopicDelivery, 'deliver'>;
  readonly report: (line: string) => void;
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

  /** With its subscriptions. */
  deleteTopic(arn: string): void {
    this.#topics.delete(arn);
    for (const each of this.subscriptions.all())
      if (each.topicArn === arn) this.subscriptions.remove(each.arn);
  }

  /** The same topic, protocol and endpoint again give the same subscription. @throws {AwsError} `InvalidParameter` */
  subscribe(topicArn: string, protocol: string, endpoint: string, attributes: Attributes): Subscription {
    const topic = this.topic(topicArn);
    const known = this.subscriptions.of(topicArn, protocol, endpoint);
    const next = withSubscriptionAttributes(known, attributes);
    this.subscriptions.keep(next);
    if (!next.confirmed) this.#askToConfirm(topic, next);
    return next;
  }

  confirm(topicArn: string, token: string): Subscription {
    this.topic(topicArn);
    const found = this.subscriptions.all().find((each) => each.topicArn === topicArn && each.token === token);
    if (!found) throw invalid('Token');
    const next = { ...found, confirmed: true };
    this.subscriptions.keep(next);
    return next;
  }

  setAttributes(arn: string, attributes: Attributes): void {
    this.subscriptions.keep(withSubscriptionAttributes(this.subscriptions.find(arn), attributes));
  }

  /** Sends to every confirmed subscription whose filter lets the message pass; resolves when queues and functions have it on disk. */
  async publish(topicArn: string, message: Message): Promise<void> {
    const topic = this.topic(topicArn);
    const kept: Promise<void>[] = [];
    for (const each of this.subscriptions.receiving(topicArn, message)) {
      const delivered = this.#options.delivery.deliver(topic, each, message);
      if (each.protocol === 'sqs' || each.protocol === 'lambda') kept.push(delivered);
    }
    await Promise.all(kept);
  }

  #askToConfirm(topic: Topic, pending: Subscription): void {
    const { clock, site, report } = this.#options;
    const id = randomUUID();
    const headers = {
      'x-amz-sns-message-type': 'SubscriptionConfirmation',
      'x-amz-sns-message-id': id,
      'x-amz-sns-topic-arn': topic.arn,
    };
    const body = JSON.stringify(toConfirmation(topic, pending, id, clock.now(), site));
    postNotification(pending.endpoint, body, headers, clock).catch((error: unknown) =>
      report(`${pending.endpoint} could not be asked to confirm its subscription: ${String(error)}`),
    );
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
