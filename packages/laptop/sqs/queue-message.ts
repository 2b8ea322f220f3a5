import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Site } from '../kernel/service.ts';
import type { QueueSettings } from './queue-settings.ts';

/** One attribute of a message, as on the wire: `BinaryValue` is base64. */
export const MessageAttribute = z.object({
  DataType: z.string().regex(/^(String|Number|Binary)(\..{1,249})?$/, 'must be String, Number or Binary'),
  StringValue: z.string().optional(),
  BinaryValue: z.string().optional(),
});
export type MessageAttribute = z.infer<typeof MessageAttribute>;

/** Attributes by name. */
export type MessageAttributes = Readonly<Record<string, MessageAttribute>>;

/** A message as it is stored. */
export const Message = z.object({
  id: z.string(),
  body: z.string(),
  attributes: z.record(z.string(), MessageAttribute).optional(),
  traceHeader: z.string().optional(),
  sentMs: z.number(),
  /** Hidden before this time: delayed, or in flight. */
  visibleMs: z.number(),
  receiveCount: z.number(),
  firstReceivedMs: z.number().optional(),
  /** ARN of the queue that gave it up. */
  deadLetterSource: z.string().optional(),
});
export type Message = z.infer<typeof Message>;

/** The sender's part of a message; the rest is the store's. */
export interface MessageDraft {
  readonly body: string;
  readonly attributes?: MessageAttributes | undefined;
  readonly traceHeader?: string | undefined;
  /** The queue's own, if absent. */
  readonly delaySeconds?: number | undefined;
}

/** A message that is sent now. */
export function toMessage(
  id: string,
  { body, attributes, traceHeader, delaySeconds }: MessageDraft,
  queue: Pick<QueueSettings, 'delaySeconds'>,
  nowMs: number,
): Message {
  return {
    id,
    body,
    ...(attributes && Object.keys(attributes).length > 0 ? { attributes } : {}),
    ...(traceHeader === undefined ? {} : { traceHeader }),
    sentMs: nowMs,
    visibleMs: nowMs + (delaySeconds ?? queue.delaySeconds) * 1000,
    receiveCount: 0,
  };
}

/** MD5 that clients compare with the body they sent. */
export function bodyMd5(body: string): string {
  return createHash('md5').update(body).digest('hex');
}

const STRING_VALUE = 1;
const BINARY_VALUE = 2;

/** MD5 that clients compare with the attributes they sent; undefined without attributes. Lengths are 4 bytes, big-endian. */
export function attributesMd5(attributes: MessageAttributes): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash('md5');
  const part = (bytes: Buffer): void => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const name of names) {
    const attribute = attributes[name];
    if (!attribute) continue;
    const binary = attribute.DataType.startsWith('Binary');
    part(Buffer.from(name));
    part(Buffer.from(attribute.DataType));
    hash.update(Buffer.from([binary ? BINARY_VALUE : STRING_VALUE]));
    part(
      binary ? Buffer.from(attribute.BinaryValue ?? '', 'base64') : Buffer.from(attribute.StringValue ?? ''),
    );
  }
  return hash.digest('hex');
}

/** Size as SQS counts it: body, and each attribute's name, type and value, in bytes. */
export function messageSizeBytes(body: string, attributes: MessageAttributes = {}): number {
  return Object.entries(attributes).reduce(
    (sum, [name, { DataType, StringValue = '', BinaryValue = '' }]) =>
      sum +
      Buffer.byteLength(name) +
      Buffer.byteLength(DataType) +
      Buffer.byteLength(StringValue) +
      Buffer.byteLength(BinaryValue, 'base64'),
    Buffer.byteLength(body),
  );
}

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
