import * as z from 'zod';
import type { Subscription } from './topic.ts';
import { invalid } from './topic-message.ts';

const RedrivePolicy = z.object({ deadLetterTargetArn: z.string() });

/** Kept, without effect here. */
const RECORDED = new Set(['DeliveryPolicy', 'SubscriptionRoleArn', 'ReplayPolicy']);

/**
 * A subscription with the given attributes changed, as Subscribe, SetSubscriptionAttributes and templates name them;
 * an empty text removes an attribute.
 *
 * @throws {AwsError} `InvalidParameter`
 */
export function withSubscriptionAttributes(
  subscription: Subscription,
  attributes: Readonly<Record<string, string>>,
): Subscription {
  const next: Subscription = { ...subscription, recorded: { ...subscription.recorded } };
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'FilterPolicy') next.filterPolicy = value === '' ? undefined : value;
    else if (name === 'FilterPolicyScope') next.filterScope = parseScope(value);
    else if (name === 'RawMessageDelivery') next.raw = parseRaw(value, subscription);
    else if (name === 'RedrivePolicy') next.deadLetterArn = value === '' ? undefined : parseRedrive(value);
    else if (RECORDED.has(name)) next.recorded[name] = value;
    else throw invalid(`AttributeName ${name}`);
  }
  return next;
}

/** The attributes as GetSubscriptionAttributes gives them. */
export function toSubscriptionAttributes(
  subscription: Subscription,
  account: string,
): ReadonlyMap<string, string> {
  return new Map([
    ['SubscriptionArn', subscription.arn],
    ['TopicArn', subscription.topicArn],
    ['Protocol', subscription.protocol],
    ['Endpoint', subscription.endpoint],
    ['Owner', account],
    ['PendingConfirmation', String(!subscription.confirmed)],
    ['ConfirmationWasAuthenticated', String(subscription.confirmed)],
    ['RawMessageDelivery', String(subscription.raw)],
    ...(subscription.filterPolicy === undefined
      ? []
      : ([
          ['FilterPolicy', subscription.filterPolicy],
          ['FilterPolicyScope', subscription.filterScope],
        ] as const)),
    ...(subscription.deadLetterArn === undefined
      ? []
      : ([['RedrivePolicy', JSON.stringify({ deadLetterTargetArn: subscription.deadLetterArn })]] as const)),
    ...Object.entries(subscription.recorded),
  ]);
}

function parseScope(value: string): Subscription['filterScope'] {
  if (value === 'MessageAttributes' || value === 'MessageBody') return value;
  throw invalid(`FilterPolicyScope must be MessageAttributes or MessageBody, is ${value}`);
}

function parseRaw(value: string, { protocol }: Subscription): boolean {
  if (value !== 'true' && value !== 'false')
    throw invalid(`RawMessageDelivery must be true or false, is ${value}`);
  if (value === 'true' && !['sqs', 'http', 'https'].includes(protocol)) {
    throw invalid(
      `Attributes Reason: Delivery protocol [${protocol}] does not support raw message delivery.`,
    );
  }
  return value === 'true';
}

function parseRedrive(value: string): string {
  try {
    return RedrivePolicy.parse(JSON.parse(value)).deadLetterTargetArn;
  } catch {
    throw invalid(`Attributes Reason: RedrivePolicy: Missing deadLetterTargetArn attribute (is ${value})`);
  }
}
