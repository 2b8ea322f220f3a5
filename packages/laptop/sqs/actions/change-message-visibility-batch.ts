import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { actOnBatch } from './batch.ts';

const Input = z.strictObject({
  QueueUrl: z.string(),
  Entries: z.array(
    z.strictObject({
      Id: z.string(),
      ReceiptHandle: z.string(),
      VisibilityTimeout: z.number().int().min(0).max(43_200),
    }),
  ),
});

/** `ChangeMessageVisibilityBatch`. */
export function changeMessageVisibilityBatch(store: QueueStore) {
  return (input: unknown) => {
    const { QueueUrl, Entries } = Input.parse(input);
    const queue = store.queue(parseQueueUrl(QueueUrl));
    return actOnBatch(Entries, ({ Id, ReceiptHandle, VisibilityTimeout }) => {
      queue.changeVisibility(ReceiptHandle, VisibilityTimeout);
      return { Id };
    });
  };
}
