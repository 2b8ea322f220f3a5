import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { parseQueueUrl } from '../queue-address.ts';
import {
  attributesMd5,
  bodyMd5,
  MessageAttribute,
  type MessageDraft,
  messageSizeBytes,
} from '../queue-message.ts';
import type { QueueStore } from '../queue-store.ts';
import { checkRange, sqsError } from '../sqs-error.ts';
import { actOnBatch } from './batch.ts';

/** Calls that put messages into a queue. */
export const sendActions = (store: QueueStore) => [
  /** `SendMessage`. */
  action('SendMessage', {
    input: z.strictObject({ QueueUrl: z.string(), ...DraftInput }),
    run: async (parsed) => {
      const name = parseQueueUrl(parsed.QueueUrl);
      const draft = toDraft(parsed, store.queue(name).settings.maximumMessageSize);
      return { MessageId: await store.send(name, draft), ...toReceiptSums(draft) };
    },
  }),
  /** `SendMessageBatch`: at most 10 messages and 1 MiB. */
  action('SendMessageBatch', {
    input: z.strictObject({
      QueueUrl: z.string(),
      Entries: z.array(z.strictObject({ Id: z.string(), ...DraftInput })),
    }),
    run: async ({ QueueUrl, Entries }) => {
      const name = parseQueueUrl(QueueUrl);
      const { maximumMessageSize } = store.queue(name).settings;
      const sizeBytes = Entries.reduce(
        (sum, entry) => sum + messageSizeBytes(entry.MessageBody, entry.MessageAttributes),
        0,
      );
      if (sizeBytes > MAX_BATCH_BYTES)
        throw sqsError(
          'BatchRequestTooLong',
          `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${sizeBytes} bytes.`,
        );
      return actOnBatch(Entries, async (entry) => {
        const draft = toDraft(entry, maximumMessageSize);
        return { Id: entry.Id, MessageId: await store.send(name, draft), ...toReceiptSums(draft) };
      });
    },
  }),
];

const MAX_BATCH_BYTES = 1_048_576;

/** The members that SendMessage and an entry of SendMessageBatch share. */
const DraftInput = {
  MessageBody: z.string(),
  DelaySeconds: z.number().optional(),
  MessageAttributes: z.record(z.string(), MessageAttribute).optional(),
  MessageSystemAttributes: z.strictObject({ AWSTraceHeader: MessageAttribute.optional() }).optional(),
};

type Draft = z.infer<z.ZodObject<typeof DraftInput>>;

// What XML 1.0 cannot carry, SQS does not take.
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** @throws {AwsError} for an empty body, one over the queue's size, or one with characters that XML cannot carry */
function toDraft(input: Draft, maximumSizeBytes: number): MessageDraft {
  const { MessageBody: body, MessageAttributes: attributes } = input;
  if (body === '') throw sqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (FORBIDDEN.test(body))
    throw sqsError('InvalidMessageContents', 'Invalid characters found in the message body.');
  const sizeBytes = messageSizeBytes(body, attributes);
  if (sizeBytes > maximumSizeBytes)
    throw sqsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximumSizeBytes} bytes, is ${sizeBytes}.`,
    );
  checkRange('DelaySeconds', input.DelaySeconds, 0, 900);
  checkAttributes(attributes ?? {});
  return {
    body,
    attributes,
    delaySeconds: input.DelaySeconds,
    traceHeader: input.MessageSystemAttributes?.AWSTraceHeader?.StringValue,
  };
}

const MAX_ATTRIBUTES = 10;

function checkAttributes(attributes: NonNullable<Draft['MessageAttributes']>): void {
  const refuse = (message: string): never => {
    throw sqsError('InvalidParameterValue', message);
  };
  const count = Object.keys(attributes).length;
  if (count > MAX_ATTRIBUTES)
    refuse(`Number of message attributes [${count}] exceeds the allowed maximum [${MAX_ATTRIBUTES}].`);
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(attributes)) {
    if (!/^(?!\.)(?!.*\.\.)[\w.-]{1,256}(?<!\.)$/.test(name) || /^(aws|amazon)\./i.test(name))
      refuse(`Message (user) attribute name '${name}' is not valid, or begins with AWS. or Amazon.`);
    const value = DataType.startsWith('Binary') ? BinaryValue : StringValue;
    if ((value ?? '') === '')
      refuse(
        `Message (user) attribute '${name}' must contain a non-empty value of type '${DataType.split('.')[0]}'.`,
      );
    if (DataType.startsWith('Number') && Number.isNaN(Number(value)))
      refuse(`Can't cast the value of message (user) attribute '${name}' to a number.`);
  }
}

/** Sums by which clients check an accepted message. */
function toReceiptSums({ body, attributes = {} }: MessageDraft) {
  return { MD5OfMessageBody: bodyMd5(body), MD5OfMessageAttributes: attributesMd5(attributes) };
}
