import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

/** `ChangeMessageVisibility`, counted from now. */
export const changeMessageVisibility = (store: QueueStore) =>
  action('ChangeMessageVisibility', {
    input: z.strictObject({
      QueueUrl: z.string(),
      ReceiptHandle: z.string(),
      VisibilityTimeout: z.number().int().min(0).max(43_200),
    }),
    run: ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) => {
      store.queue(parseQueueUrl(QueueUrl)).changeVisibility(ReceiptHandle, VisibilityTimeout);
    },
  });
