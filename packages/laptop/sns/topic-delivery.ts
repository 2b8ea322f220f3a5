import { AwsError } from '../kernel/aws-error.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ServiceAccess } from '../kernel/permission.ts';
import type { FunctionInvoker } from '../kernel/ports.ts';
import type { Site } from '../kernel/service.ts';
import type { MessageAttributes } from '../sqs/queue-message.ts';
import type { QueueAccess } from '../sqs/service.ts';
import { sendEmail, type SentEmail } from './email.ts';
import { toEnvelope, toLambdaEvent } from './envelope.ts';
import { postNotification } from './http-delivery.ts';
import type { Subscription, Topic } from './topic.ts';
import type { Message } from './topic-message.ts';

/** As SNS's default delivery policy for HTTP has it. */
const RETRIES = 3;
const RETRY_DELAY_MS = 20_000;

/** Brings messages to subscribers. */
export interface Delivery {
  /** Resolves when the message is delivered, in the dead-letter queue, or given up and passed to `report`. */
  deliver(topic: Topic, subscription: Subscription, message: Message): Promise<void>;
  close(): void;
}

/** Makes the delivery. */
export function createDelivery(deps: {
  readonly site: Site;
  readonly clock: Clock;
  readonly queues: QueueAccess;
  readonly functions: FunctionInvoker;
  readonly access: ServiceAccess;
  readonly outbox: string;
  readonly onEmail: (email: SentEmail) => void;
  readonly report: (line: string) => void;
}): Delivery {
  const { site, clock, queues, report } = deps;
  const stop = new AbortController();

  /** @throws {AwsError} `AccessDenied` where the policy of queue or function does not let the topic in */
  const requireAccess = (topicArn: string, action: string, resource: string): void => {
    const caller = { service: 'sns.amazonaws.com', sourceArn: topicArn };
    const refusal = deps.access.refusal(caller, [{ action, resource }]);
    if (refusal !== null) throw new AwsError('AccessDenied', refusal, { statusCode: 403 });
  };

  const attempt = async (topic: Topic, subscription: Subscription, message: Message): Promise<void> => {
    const { protocol, endpoint, raw } = subscription;
    const body = message.bodies[protocol] ?? message.body;
    const envelope = (): string => JSON.stringify(toEnvelope(message, body, subscription, site));
    switch (protocol) {
      case 'sqs':
        requireAccess(topic.arn, 'sqs:SendMessage', endpoint);
        if (raw) return queues.sendTyped(endpoint, body, toQueueAttributes(message));
        return queues.send(endpoint, envelope());
      case 'lambda':
        requireAccess(topic.arn, 'lambda:InvokeFunction', endpoint);
        return deps.functions.invokeLater(
          endpoint,
          Buffer.from(JSON.stringify(toLambdaEvent(message, body, subscription, site))),
        );
      case 'email':
      case 'email-json':
        deps.onEmail(sendEmail(deps.outbox, { topic, subscription, message, body, site }));
        return;
      case 'http':
      case 'https':
        return postNotification(
          endpoint,
          raw ? body : envelope(),
          {
            'x-amz-sns-message-type': 'Notification',
            'x-amz-sns-message-id': message.id,
            'x-amz-sns-topic-arn': topic.arn,
            'x-amz-sns-subscription-arn': subscription.arn,
            ...(raw ? { 'x-amz-sns-rawdelivery': 'true' } : {}),
          },
          clock,
        );
    }
  };
  const giveUp = async (subscription: Subscription, message: Message, error: unknown): Promise<void> => {
    const what = `${subscription.arn} (${subscription.protocol} ${subscription.endpoint}): message ${message.id} given up: ${String(error)}`;
    if (subscription.deadLetterArn === undefined)
      return report(`${what}; the subscription has no dead-letter queue`);
    try {
      const body = JSON.stringify(toEnvelope(message, message.body, subscription, site));
      requireAccess(subscription.topicArn, 'sqs:SendMessage', subscription.deadLetterArn);
      await queues.send(subscription.deadLetterArn, body);
    } catch (deadLetterError) {
      report(`${what}; its dead-letter queue did not take it: ${String(deadLetterError)}`);
    }
  };
  return {
    close: () => stop.abort(),
    deliver: async (topic, subscription, message) => {
      for (let retries = 0; ; retries++) {
        try {
          return await attempt(topic, subscription, message);
        } catch (error) {
          // A queue or function that is missing, or refuses access, is not retried, as in SNS.
          if (error instanceof AwsError || retries === RETRIES) return giveUp(subscription, message, error);
          await clock.sleep(RETRY_DELAY_MS, stop.signal).catch(ignoreStop);
          if (stop.signal.aborted) return;
        }
      }
    },
  };
}

function toQueueAttributes({ attributes }: Message): MessageAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { DataType, StringValue, BinaryValue },
    ]),
  );
}

function ignoreStop(): void {}
