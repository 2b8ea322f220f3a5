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

/** What brings messages to subscribers. */
interface DeliveryOptions {
  readonly site: Site;
  readonly clock: Clock;
  readonly queues: QueueAccess;
  readonly functions: FunctionInvoker;
  readonly access: ServiceAccess;
  readonly outbox: string;
  readonly onEmail: (email: SentEmail) => void;
  readonly report: (line: string) => void;
}

/** Brings messages to subscribers. */
export class TopicDelivery {
  readonly #options: DeliveryOptions;
  readonly #stop = new AbortController();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** Resolves when the message is delivered, in the dead-letter queue, or given up and passed to `report`. */
  async deliver(topic: Topic, subscription: Subscription, message: Message): Promise<void> {
    const { signal } = this.#stop;
    for (let retries = 0; ; retries++) {
      try {
        return await this.#attempt(topic, subscription, message);
      } catch (error) {
        // A queue or function that is missing, or refuses access, is not retried, as in SNS.
        if (error instanceof AwsError || retries === RETRIES)
          return this.#giveUp(subscription, message, error);
        await this.#options.clock.sleep(RETRY_DELAY_MS, signal).catch(() => undefined);
        if (signal.aborted) return;
      }
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #attempt(topic: Topic, subscription: Subscription, message: Message): Promise<void> {
    const { site, queues, functions, onEmail, outbox, clock } = this.#options;
    const { protocol, endpoint, raw } = subscription;
    const body = message.bodies[protocol] ?? message.body;
    const envelope = (): string => JSON.stringify(toEnvelope(message, body, subscription, site));
    switch (protocol) {
      case 'sqs':
        this.#requireAccess(topic.arn, 'sqs:SendMessage', endpoint);
        if (raw) return queues.sendTyped(endpoint, body, toQueueAttributes(message));
        return queues.send(endpoint, envelope());
      case 'lambda':
        this.#requireAccess(topic.arn, 'lambda:InvokeFunction', endpoint);
        return functions.invokeLater(
          endpoint,
          Buffer.from(JSON.stringify(toLambdaEvent(message, body, subscription, site))),
        );
      case 'email':
      case 'email-json':
        onEmail(sendEmail(outbox, { topic, subscription, message, body, site }));
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
  }

  async #giveUp(subscription: Subscription, message: Message, error: unknown): Promise<void> {
    const { site, queues, report } = this.#options;
    const what = `${subscription.arn} (${subscription.protocol} ${subscription.endpoint}): message ${message.id} given up: ${String(error)}`;
    if (subscription.deadLetterArn === undefined)
      return report(`${what}; the subscription has no dead-letter queue`);
    try {
      const body = JSON.stringify(toEnvelope(message, message.body, subscription, site));
      this.#requireAccess(subscription.topicArn, 'sqs:SendMessage', subscription.deadLetterArn);
      await queues.send(subscription.deadLetterArn, body);
    } catch (deadLetterError) {
      report(`${what}; its dead-letter queue did not take it: ${String(deadLetterError)}`);
    }
  }

  /** @throws {AwsError} `AccessDenied` where the policy of queue or function does not let the topic in */
  #requireAccess(topicArn: string, action: string, resource: string): void {
    const caller = { service: 'sns.amazonaws.com', sourceArn: topicArn };
    const refusal = this.#options.access.refusal(caller, [{ action, resource }]);
    if (refusal !== null) throw new AwsError('AccessDenied', refusal, { statusCode: 403 });
  }
}

function toQueueAttributes({ attributes }: Message): MessageAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      { DataType, StringValue, BinaryValue },
    ]),
  );
}
