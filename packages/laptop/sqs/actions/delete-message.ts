import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

/** `DeleteMessage`. */
export const deleteMessage = (store: QueueStore) =>
  action('DeleteMessage', {
    input: z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string() }),
    run: ({ QueueUrl, ReceiptHandle }) => {
      store.queue(parseQueueUrl(QueueUrl)).delete(ReceiptHandle);
    },
  });
