import * as z from 'zod';
import type { DropKeyKind } from './drop-key.ts';
import { parseDropKey } from './drop-key.ts';

/** What the EventBridge rule's input transformer leaves of an `Object Created` event. */
const UploadEvent = z.object({
  key: z.string().min(1),
  /** The event's own time. */
  time: z.iso.datetime({ offset: true }),
});

/** An upload that concerns a drop. */
export interface Upload {
  readonly pipeline: string;
  readonly drop: string;
  readonly kind: DropKeyKind;
  readonly at: Date;
}

/** Reads a queue message's body, or says why it is no upload. */
export function parseUpload(body: string): Upload | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { problem: `message must be JSON, is ${body.slice(0, 200)}` };
  }
  const event = UploadEvent.safeParse(value);
  if (!event.success) return { problem: `message must have key and time: ${z.prettifyError(event.error)}` };
  const key = parseDropKey(event.data.key);
  return 'problem' in key ? key : { ...key, at: new Date(event.data.time) };
}
