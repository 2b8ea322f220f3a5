import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { DraftInput, toDraft, toReceiptSums } from './message-draft.ts';

/** `SendMessage`. */
export const sendMessage = (store: QueueStore) =>
  action('SendMessage', {
    input: z.strictObject({ QueueUrl: z.string(), ...DraftInput }),
    run: async (parsed) => {
      const name = parseQueueUrl(parsed.QueueUrl);
      const draft = toDraft(parsed, store.queue(name).settings.maximumMessageSize);
      return { MessageId: await store.send(name, draft), ...toReceiptSums(draft) };
    },
  });
