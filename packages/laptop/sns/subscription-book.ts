import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AwsError } from '../kernel/aws-error.ts';
import { stableUuid } from '../kernel/stable-uuid.ts';
import { openDocuments } from '../storage/document-file.ts';
import { filterOf, type MessageFilter } from './filter-policy.ts';
import { requireLoopback } from './http-delivery.ts';
import { Subscription } from './topic.ts';
import { invalid, type Message } from './topic-message.ts';

/** Subscriptions, with their filters read. */
export interface SubscriptionBook {
  all(): Subscription[];
  /** @throws {AwsError} `NotFound` */
  find(arn: string): Subscription;
  /** The subscription that is there, or else a new one, which is not kept yet. @throws {AwsError} `InvalidParameter` */
  of(topicArn: string, protocol: string, endpoint: string): Subscription;
  keep(subscription: Subscription): void;
  remove(arn: string): void;
  /** The confirmed ones of a topic whose filter lets the message pass. */
  receiving(topicArn: string, message: Message): Subscription[];
}

/** Opens the subscriptions kept in `dir`. */
export function openSubscriptionBook(dir: string): SubscriptionBook {
  const subscriptions = openDocuments(join(dir, 'subscriptions.json'), Subscription);
  const filters = new Map<string, MessageFilter>();
  for (const subscription of subscriptions.values()) filters.set(subscription.arn, filterOf(subscription));
  return {
    all: () => [...subscriptions.values()].sort((a, b) => (a.arn < b.arn ? -1 : 1)),
    find: (arn) => {
      const found = subscriptions.get(arn);
      if (found) return found;
      throw new AwsError('NotFound', 'Subscription does not exist', { statusCode: 404 });
    },
    of: (topicArn, protocol, endpoint) => {
      const parsedProtocol = parseProtocol(protocol, endpoint);
      const arn = `${topicArn}:${stableUuid(`${topicArn} ${protocol} ${endpoint}`)}`;
      return (
        subscriptions.get(arn) ?? {
          arn,
          topicArn,
          protocol: parsedProtocol,
          endpoint,
          confirmed: !protocol.startsWith('http'),
          token: randomBytes(32).toString('hex'),
          filterScope: 'MessageAttributes',
          raw: false,
          recorded: {},
        }
      );
    },
    keep: (subscription) => {
      filters.set(subscription.arn, filterOf(subscription));
      subscriptions.set(subscription.arn, subscription);
    },
    remove: (arn) => {
      subscriptions.delete(arn);
      filters.delete(arn);
    },
    receiving: (topicArn, message) =>
      [...subscriptions.values()].filter(
        (each) => each.topicArn === topicArn && each.confirmed && filters.get(each.arn)?.(message),
      ),
  };
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
