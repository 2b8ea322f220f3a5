import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { DeadLetter } from '../../drop/dead-letter.ts';
import { required } from '../calls/answer.ts';
import { withErrorNames } from '../calls/aws-error.ts';

/** A received letter: hidden from others until it is released, deleted, or its time is up. */
export interface HeldLetter extends DeadLetter {
  readonly receipt: string;
}

/** The dead-letter queue, and the destinations of its letters. */
export interface DeadLetters {
  /** Up to ten letters, hidden for a minute; none once all are hidden. */
  receive(): Promise<readonly HeldLetter[]>;
  release(letter: HeldLetter): Promise<void>;
  delete(letter: HeldLetter): Promise<void>;
  toUploads(body: string): Promise<void>;
  /** Invokes a function asynchronously, as EventBridge does. */
  toFunction(name: string, payload: string): Promise<void>;
}

const HIDDEN_SECONDS = 60;
/** Long polling asks all of SQS's servers, so that an empty answer means an empty queue. */
const LONG_POLL_SECONDS = 2;

/** Counts the letters in a queue, hidden ones too. */
export async function countDeadLetters(queueUrl: string): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const asked = new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] });
  const { Attributes = {} } = await withErrorNames(new SQSClient().send(asked));
  return names.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}

/** The queues of these URLs, and the functions with names that begin with this prefix. */
export function deadLetters({
  queueUrl,
  uploadsUrl,
  functionPrefix,
  waitSeconds = LONG_POLL_SECONDS,
}: {
  readonly queueUrl: string;
  readonly uploadsUrl: string;
  readonly functionPrefix: string;
  readonly waitSeconds?: number;
}): DeadLetters {
  const sqs = new SQSClient();
  return {
    async receive() {
      const { Messages = [] } = await withErrorNames(
        sqs.send(
          new ReceiveMessageCommand({
            QueueUrl: queueUrl,
            MaxNumberOfMessages: 10,
            VisibilityTimeout: HIDDEN_SECONDS,
            WaitTimeSeconds: waitSeconds,
            MessageSystemAttributeNames: ['All'],
            MessageAttributeNames: ['All'],
          }),
        ),
      );
      return Messages.map(({ MessageId, ReceiptHandle, Body, Attributes = {}, MessageAttributes = {} }) => ({
        id: required(MessageId, 'MessageId'),
        receipt: required(ReceiptHandle, 'ReceiptHandle'),
        body: Body ?? '',
        sentAt: new Date(Number(Attributes.SentTimestamp)),
        ...(Attributes.DeadLetterQueueSourceArn !== undefined && {
          sourceQueueArn: Attributes.DeadLetterQueueSourceArn,
        }),
        attributes: Object.fromEntries(
          Object.entries(MessageAttributes).map(([name, { StringValue = '' }]) => [name, StringValue]),
        ),
      }));
    },
    async release({ receipt }) {
      const ends = { QueueUrl: queueUrl, ReceiptHandle: receipt, VisibilityTimeout: 0 };
      await withErrorNames(sqs.send(new ChangeMessageVisibilityCommand(ends)));
    },
    async delete({ receipt }) {
      await withErrorNames(
        sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt })),
      );
    },
    async toUploads(body) {
      await withErrorNames(sqs.send(new SendMessageCommand({ QueueUrl: uploadsUrl, MessageBody: body })));
    },
    async toFunction(name, payload) {
      await withErrorNames(
        new LambdaClient().send(
          new InvokeCommand({
            FunctionName: `${functionPrefix}-${name}`,
            InvocationType: 'Event',
            Payload: Buffer.from(payload),
          }),
        ),
      );
    },
  };
}
