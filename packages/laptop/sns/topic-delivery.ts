import { AwsError } from '../kernel/aws-error.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { Site } from '../kernel/service.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { sendEmail, type SentEmail } from './email.ts';
import type { Subscription, Topic } from './topic.ts';
import type { Message } from './topic-message.ts';

interface DeliveryOptions {
  readonly site: Site;
  readonly queues: QueueAccess;
  readonly access: ServiceAccess;
  readonly outbox: string;
  readonly onEmail: (email: SentEmail) => void;
  readonly report: (line: string) => void;
}

/** Brings one message to one subscriber; resolves when it is delivered, or given up and reported. */
export type Deliver = (topic: Topic, subscription: Subscription, message: Message) => Promise<void>;

/** Delivery into the outbox and into queues. A queue that is missing, or refuses access, is not tried again, as in SNS. */
export function topicDelivery({ site, queues, access, outbox, onEmail, report }: DeliveryOptions): Deliver {
  return async (topic, subscription, message) => {
    const { protocol, endpoint } = subscription;
    if (protocol === 'email') return onEmail(sendEmail(outbox, { topic, subscription, message }));
    try {
      requireAccess(access, topic.arn, endpoint);
      await queues.send(endpoint, JSON.stringify(toEnvelope(message, subscription, site)));
    } catch (error) {
      report(
        `${subscription.arn} (${protocol} ${endpoint}): message ${message.id} given up: ${String(error)}`,
      );
    }
  };
}

/** @throws {AwsError} `AccessDenied` where the policy of the queue does not let the topic in */
function requireAccess(access: ServiceAccess, sourceArn: string, resource: string): void {
  const caller = { service: 'sns.amazonaws.com', sourceArn };
  const refusal = access.refusal(caller, [{ action: 'sqs:SendMessage', resource }]);
  if (refusal !== null) throw new AwsError('AccessDenied', refusal, { statusCode: 403 });
}

/** Stands in for an envelope's signature: this stack doesn't sign, and clients must not think it does. */
const LOCAL_SIGNATURE = Buffer.from('not signed: sent by a local stack').toString('base64');

/** The JSON around a message that a queue gets. */
function toEnvelope(
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
