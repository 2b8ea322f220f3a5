import * as z from 'zod';
import { bucketLayout } from '../../run/bucket-layout.ts';
import { jsonDocument } from './document.ts';

/** `message.json`: claimed before the message is sent, and complete with an id after. */
const StoredMessage = z.object({
  schema: z.literal(1),
  subject: z.string(),
  body: z.string(),
  attributes: z.record(z.string(), z.string()),
  claimedAt: z.iso.datetime(),
  messageId: z.string().optional(),
  sentAt: z.iso.datetime().optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

/** Its creation is the claim; the holder of the claim, or a later one that finds it expired, overwrites it. */
export const messageJson = jsonDocument({
  key: bucketLayout.message,
  schema: StoredMessage,
  write: 'exchange',
});
