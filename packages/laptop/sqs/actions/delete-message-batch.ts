import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { actOnBatch } from './batch.ts';

/** `DeleteMessageBatch`. */
export const deleteMessageBatch = (store: QueueStore) =>
  action('DeleteMessageBatch', {
    input: z.strictObject({
      QueueUrl: z.string(),
      Entries: z.array(z.strictObject({ Id: z.string(), ReceiptHandle: z.string() })),
    }),
    run: ({ QueueUrl, Entries }) => {
      const queue = store.queue(parseQueueUrl(QueueUrl));
      return actOnBatch(Entries, ({ Id, ReceiptHandle }) => {
        queue.delete(ReceiptHandle);
        return { Id };
      });
    },
  });
