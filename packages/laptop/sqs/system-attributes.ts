import type { Site } from '../kernel/service.ts';
import type { Message } from './queue-message.ts';

/** SQS's own attributes of a received message, as receivers and Lambda events carry them. */
export function toSystemAttributes(message: Message, site: Site): Readonly<Record<string, string>> {
  return {
    ApproximateReceiveCount: String(message.receiveCount),
    SentTimestamp: String(message.sentMs),
    SenderId: site.account,
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedMs ?? message.sentMs),
    ...(message.deadLetterSource === undefined ? {} : { DeadLetterQueueSourceArn: message.deadLetterSource }),
    ...(message.traceHeader === undefined ? {} : { AWSTraceHeader: message.traceHeader }),
  };
}
