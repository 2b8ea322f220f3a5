import type { Site } from '../kernel/service.ts';
import type { Subscription, Topic } from './topic.ts';
import type { Message } from './topic-message.ts';

/** In place of an envelope's signature: this stack does not sign, and a client must not take it for signed. */
const LOCAL_SIGNATURE = Buffer.from('not signed: sent by a local stack').toString('base64');

/** The JSON that HTTP and SQS subscribers get around a message, unless they asked for it raw. */
export function toEnvelope(
  message: Message,
  body: string,
  subscription: Subscription,
  site: Site,
): Readonly<Record<string, unknown>> {
  const attributes = toEnvelopeAttributes(message);
  return {
    Type: 'Notification',
    MessageId: message.id,
    TopicArn: subscription.topicArn,
    ...(message.subject === undefined ? {} : { Subject: message.subject }),
    Message: body,
    Timestamp: new Date(message.timeMs).toISOString(),
    SignatureVersion: '1',
    Signature: LOCAL_SIGNATURE,
    SigningCertURL: `${site.endpoint()}/SimpleNotificationService-local.pem`,
    UnsubscribeURL: unsubscribeUrl(site, subscription),
    ...(Object.keys(attributes).length > 0 ? { MessageAttributes: attributes } : {}),
  };
}

/** The event that a subscribed function gets. */
export function toLambdaEvent(
  message: Message,
  body: string,
  subscription: Subscription,
  site: Site,
): Readonly<Record<string, unknown>> {
  return {
    Records: [
      {
        EventSource: 'aws:sns',
        EventVersion: '1.0',
        EventSubscriptionArn: subscription.arn,
        Sns: {
          Type: 'Notification',
          MessageId: message.id,
          TopicArn: subscription.topicArn,
          Subject: message.subject ?? null,
          Message: body,
          Timestamp: new Date(message.timeMs).toISOString(),
          SignatureVersion: '1',
          Signature: LOCAL_SIGNATURE,
          SigningCertUrl: `${site.endpoint()}/SimpleNotificationService-local.pem`,
          UnsubscribeUrl: unsubscribeUrl(site, subscription),
          MessageAttributes: toEnvelopeAttributes(message),
        },
      },
    ],
  };
}

/** What an HTTP endpoint gets first: it answers by visiting SubscribeURL, or with ConfirmSubscription. */
export function toConfirmation(
  topic: Topic,
  { token }: Subscription,
  messageId: string,
  timeMs: number,
  site: Site,
): Readonly<Record<string, unknown>> {
  const query = new URLSearchParams({ Action: 'ConfirmSubscription', TopicArn: topic.arn, Token: token });
  return {
    Type: 'SubscriptionConfirmation',
    MessageId: messageId,
    Token: token,
    TopicArn: topic.arn,
    Message: `You have chosen to subscribe to the topic ${topic.arn}.\nTo confirm the subscription, visit the SubscribeURL included in this message.`,
    SubscribeURL: `${site.endpoint()}/?${query}`,
    Timestamp: new Date(timeMs).toISOString(),
    SignatureVersion: '1',
    Signature: LOCAL_SIGNATURE,
    SigningCertURL: `${site.endpoint()}/SimpleNotificationService-local.pem`,
  };
}

/** A link that ends the subscription. */
export function unsubscribeUrl(site: Site, { arn }: Subscription): string {
  return `${site.endpoint()}/?${new URLSearchParams({ Action: 'Unsubscribe', SubscriptionArn: arn })}`;
}

function toEnvelopeAttributes({ attributes }: Message): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { Type: DataType, Value: StringValue ?? BinaryValue },
    ]),
  );
}
