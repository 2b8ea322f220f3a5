import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({
  QueueUrl: z.string(),
  ReceiptHandle: z.string(),
  VisibilityTimeout: z.number().int().min(0).max(43_200),
});

/** `ChangeMessageVisibility`, counted from now. */
export function changeMessageVisibility(store: QueueStore) {
  return (input: unknown) => {
    const { QueueUrl, ReceiptHandle, VisibilityTimeout } = Input.parse(input);
    store.queue(parseQueueUrl(QueueUrl)).changeVisibility(ReceiptHandle, VisibilityTimeout);
  };
}
