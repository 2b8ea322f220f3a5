import { join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { openDocuments } from '../storage/document-file.ts';
import { Subscription } from './topic.ts';
import { invalid } from './topic-message.ts';

/** Subscriptions of all topics; each is confirmed from the start. */
export interface SubscriptionBook {
  all(): Subscription[];
  /** @throws {AwsError} `NotFound` */
  find(arn: string): Subscription;
  /** The same topic, protocol and endpoint again give the same subscription. @throws {AwsError} `InvalidParameter` */
  add(topicArn: string, protocol: string, endpoint: string): Subscription;
  remove(arn: string): void;
}

/** Opens the subscriptions kept in `dir`. */
export function openSubscriptionBook(dir: string): SubscriptionBook {
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
