import type { Site } from '../kernel/service.ts';
import type { Subscription } from './topic.ts';
import type { Message } from './topic-message.ts';

/** Stands in for an envelope's signature: this stack doesn't sign, and clients must not think it does. */
const LOCAL_SIGNATURE = Buffer.from('not signed: sent by a local stack').toString('base64');

/** The JSON around a message that a queue gets. */
export function toEnvelope(
  message: Message,
  subscription: Subscription,
  site: Site,
): Readonly<Record<string, unknown>> {
  const attributes = toEnvelopeAttributes(message);
  return {
    Type: 'Notification',
    MessageId: message.id,
    TopicArn: subscription.topicArn,
    ...(message.subject === undefined ? {} : { Subject: message.subject }),
    Message: message.body,
    Timestamp: new Date(message.timeMs).toISOString(),
    SignatureVersion: '1',
    Signature: LOCAL_SIGNATURE,
    SigningCertURL: `${site.endpoint()}/SimpleNotificationService-local.pem`,
    UnsubscribeURL: `${site.endpoint()}/?${new URLSearchParams({ Action: 'Unsubscribe', SubscriptionArn: subscription.arn })}`,
    ...(Object.keys(attributes).length > 0 ? { MessageAttributes: attributes } : {}),
  };
}

function toEnvelopeAttributes({ attributes }: Message): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { Type: DataType, Value: StringValue ?? BinaryValue },
    ]),
  );
}
