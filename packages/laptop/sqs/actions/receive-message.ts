import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { checkRange } from '../check-range.ts';
import { attributesMd5, bodyMd5, type Message, type MessageAttributes } from '../queue-message.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { toSystemAttributes } from '../system-attributes.ts';

/** `ReceiveMessage`, with long polling. */
export const receiveMessage = (store: QueueStore, site: Site) =>
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
  });

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
