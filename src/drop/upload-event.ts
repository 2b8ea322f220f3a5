import * as z from 'zod';
import type { DropParts } from '../run/run-id.ts';
import { parsedJson } from '../text/parse-json.ts';
import { type DropKeyKind, parseDropKey } from './drop-key.ts';

/** The fields of an `Object Created` event that the EventBridge rule's input transformer passes on. */
const UploadEvent = z.object({
  /** S3's own limit. */
  key: z.string().min(1).max(1024),
  /** The event's own time. */
  time: z.iso.datetime({ offset: true }),
});

/** An upload that concerns a drop. */
export interface Upload {
  readonly drop: DropParts;
  readonly kind: DropKeyKind;
  readonly at: Date;
}

/** `unreadable`: a message that is not from an upload. `misplaced`: an upload with a key that belongs to no drop, which is final. */
interface Refusal {
  readonly refused: 'unreadable' | 'misplaced';
  readonly problem: string;
}

/** Reads a queue message's body, or returns why it concerns no drop. */
export function parseUpload(body: string): Upload | Refusal {
  const value = parsedJson(body);
  if (value === undefined)
    return { refused: 'unreadable', problem: `message must be JSON, is ${body.slice(0, 200)}` };
  const event = UploadEvent.safeParse(value);
  if (!event.success) {
    const problem = `message must have key and time: ${z.prettifyError(event.error)}`;
    return { refused: 'unreadable', problem };
  }
  const key = parseDropKey(event.data.key);
  if ('problem' in key) return { refused: 'misplaced', problem: key.problem };
  return { ...key, at: new Date(event.data.time) };
}
