import * as z from 'zod';
import { attributesMd5, bodyMd5, MessageAttribute, messageSizeBytes } from '../message.ts';
import type { MessageDraft } from '../queue-store.ts';
import { sqsError } from '../sqs-error.ts';

/** The members that SendMessage and an entry of SendMessageBatch share. */
export const DraftInput = {
  MessageBody: z.string(),
  DelaySeconds: z.number().int().min(0).max(900).optional(),
  MessageAttributes: z.record(z.string(), MessageAttribute).optional(),
  MessageSystemAttributes: z.strictObject({ AWSTraceHeader: MessageAttribute.optional() }).optional(),
};

type Draft = z.infer<z.ZodObject<typeof DraftInput>>;

// What XML 1.0 cannot carry, SQS does not take.
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** @throws {AwsError} for an empty body, one over the queue's size, or one with characters that XML cannot carry */
export function toDraft(input: Draft, maximumSizeBytes: number): MessageDraft {
  const { MessageBody: body, MessageAttributes: attributes } = input;
  if (body === '') throw sqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  if (FORBIDDEN.test(body))
    throw sqsError('InvalidMessageContents', 'Invalid characters found in the message body.');
  const sizeBytes = messageSizeBytes(body, attributes);
  if (sizeBytes > maximumSizeBytes) {
    throw sqsError(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${maximumSizeBytes} bytes, is ${sizeBytes}.`,
    );
  }
  if (attributes && Object.keys(attributes).length > 10) {
    throw sqsError(
      'InvalidParameterValue',
      `Number of message attributes must be at most 10, is ${Object.keys(attributes).length}.`,
    );
  }
  return {
    body,
    attributes,
    delaySeconds: input.DelaySeconds,
    traceHeader: input.MessageSystemAttributes?.AWSTraceHeader?.StringValue,
  };
}

/** What clients check an accepted message by. */
export function toReceiptSums({ body, attributes = {} }: MessageDraft) {
  return { MD5OfMessageBody: bodyMd5(body), MD5OfMessageAttributes: attributesMd5(attributes) };
}
