import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { parseQueueUrl } from '../queue-address.ts';
import {
  attributesMd5,
  bodyMd5,
  type Message,
  type MessageAttributes,
  toSystemAttributes,
} from '../queue-message.ts';
import type { QueueStore } from '../queue-store.ts';
import { checkRange } from '../sqs-error.ts';
import { actOnBatch } from './batch.ts';

/** Calls on the messages in a queue. */
export const receiveActions = (store: QueueStore, site: Site) => [
  /** `ReceiveMessage`, with long polling. */
  action('ReceiveMessage', {
    input: z.strictObject({
      QueueUrl: z.string(),
      AttributeNames: z.array(z.string()).default([]),
      MessageSystemAttributeNames: z.array(z.string()).default([]),
      MessageAttributeNames: z.array(z.string()).default([]),
      MaxNumberOfMessages: z.number().default(1),
      VisibilityTimeout: z.number().optional(),
      WaitTimeSeconds: z.number().optional(),
    }),
    run: async (parsed) => {
      checkRange('MaxNumberOfMessages', parsed.MaxNumberOfMessages, 1, 10);
      checkRange('VisibilityTimeout', parsed.VisibilityTimeout, 0, 43_200);
      checkRange('WaitTimeSeconds', parsed.WaitTimeSeconds, 0, 20);
      const queue = store.queue(parseQueueUrl(parsed.QueueUrl));
      const received = await queue.receive({
        max: parsed.MaxNumberOfMessages,
        waitMs: (parsed.WaitTimeSeconds ?? queue.settings.waitSeconds) * 1000,
        visibilityTimeoutSeconds: parsed.VisibilityTimeout,
      });
      if (received.length === 0) return {};
      const systemNames = [...parsed.AttributeNames, ...parsed.MessageSystemAttributeNames];
      return {
        Messages: received.map(({ message, receiptHandle }) => {
          const attributes = chooseAttributes(message.attributes ?? {}, parsed.MessageAttributeNames);
          const system = chooseSystemAttributes(message, site, systemNames);
          return {
            MessageId: message.id,
            ReceiptHandle: receiptHandle,
            MD5OfBody: bodyMd5(message.body),
            Body: message.body,
            Attributes: Object.keys(system).length > 0 ? system : undefined,
            MessageAttributes: Object.keys(attributes).length > 0 ? attributes : undefined,
            MD5OfMessageAttributes: attributesMd5(attributes),
          };
        }),
      };
    },
  }),
  /** `DeleteMessage`. */
  action('DeleteMessage', {
    input: z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string() }),
    run: ({ QueueUrl, ReceiptHandle }) => {
      store.queue(parseQueueUrl(QueueUrl)).delete(ReceiptHandle);
    },
  }),
  /** `DeleteMessageBatch`. */
  action('DeleteMessageBatch', {
    input: z.strictObject({
      QueueUrl: z.string(),
      Entries: z.array(z.strictObject({ Id: z.string(), ReceiptHandle: z.string() })),
    }),
    run: ({ QueueUrl, Entries }) => {
      const queue = store.queue(parseQueueUrl(QueueUrl));
      return actOnBatch(Entries, ({ Id, ReceiptHandle }) => {
        queue.delete(ReceiptHandle);
        return { Id };
      });
    },
  }),
  /** `ChangeMessageVisibility`, counted from now. */
  action('ChangeMessageVisibility', {
    input: z.strictObject({
      QueueUrl: z.string(),
      ReceiptHandle: z.string(),
      VisibilityTimeout: z.number().int().min(0).max(43_200),
    }),
    run: ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) => {
      store.queue(parseQueueUrl(QueueUrl)).changeVisibility(ReceiptHandle, VisibilityTimeout);
    },
  }),
];

function chooseAttributes(attributes: MessageAttributes, wanted: readonly string[]): MessageAttributes {
  if (wanted.includes('All') || wanted.includes('.*')) return attributes;
  const prefixes = wanted.filter((name) => name.endsWith('.*')).map((name) => name.slice(0, -1));
  return Object.fromEntries(
    Object.entries(attributes).filter(
      ([name]) => wanted.includes(name) || prefixes.some((prefix) => name.startsWith(prefix)),
    ),
  );
}

function chooseSystemAttributes(
  message: Message,
  site: Site,
  wanted: readonly string[],
): Readonly<Record<string, string>> {
  const all = toSystemAttributes(message, site);
  if (wanted.includes('All')) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.includes(name)));
}
