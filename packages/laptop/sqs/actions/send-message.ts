import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { DraftInput, toDraft, toReceiptSums } from './message-draft.ts';

const Input = z.strictObject({ QueueUrl: z.string(), ...DraftInput });

/** `SendMessage`. */
export function sendMessage(store: QueueStore) {
  return async (input: unknown) => {
    const parsed = Input.parse(input);
    const name = parseQueueUrl(parsed.QueueUrl);
    const draft = toDraft(parsed, store.queue(name).settings.maximumMessageSize);
    return { MessageId: await store.send(name, draft), ...toReceiptSums(draft) };
  };
}
