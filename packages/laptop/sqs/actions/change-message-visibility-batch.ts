import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { actOnBatch } from './batch.ts';

/** `ChangeMessageVisibilityBatch`. */
export const changeMessageVisibilityBatch = (store: QueueStore) =>
  action('ChangeMessageVisibilityBatch', {
    input: z.strictObject({
      QueueUrl: z.string(),
      Entries: z.array(
        z.strictObject({
          Id: z.string(),
          ReceiptHandle: z.string(),
          VisibilityTimeout: z.number().int().min(0).max(43_200),
        }),
      ),
    }),
    run: ({ QueueUrl, Entries }) => {
      const queue = store.queue(parseQueueUrl(QueueUrl));
      return actOnBatch(Entries, ({ Id, ReceiptHandle, VisibilityTimeout }) => {
        queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
        return { Id };
      });
    },
  });
