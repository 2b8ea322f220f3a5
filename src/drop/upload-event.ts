import * as z from 'zod';
import type { DropKeyKind } from './drop-key.ts';
import { parseDropKey } from './drop-key.ts';

/** What the EventBridge rule's input transformer leaves of an `Object Created` event. */
const UploadEvent = z.object({
  /** S3's own limit. */
  key: z.string().min(1).max(1024),
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

/** A message that no upload has made: `unreadable`; an upload whose key belongs to no drop: `misplaced`, which stays so. */
interface Refusal {
  readonly refused: 'unreadable' | 'misplaced';
  readonly problem: string;
}

/** Reads a queue message's body, or says why no drop is concerned. */
export function parseUpload(body: string): Upload | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { refused: 'unreadable', problem: `message must be JSON, is ${body.slice(0, 200)}` };
  }
  const event = UploadEvent.safeParse(value);
  if (!event.success) {
    const problem = `message must have key and time: ${z.prettifyError(event.error)}`;
    return { refused: 'unreadable', problem };
  }
  const key = parseDropKey(event.data.key);
  if ('problem' in key) return { refused: 'misplaced', problem: key.problem };
  return { ...key, at: new Date(event.data.time) };
}
