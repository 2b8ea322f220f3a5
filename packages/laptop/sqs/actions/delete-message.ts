import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({ QueueUrl: z.string(), ReceiptHandle: z.string() });

/** `DeleteMessage`. */
export function deleteMessage(store: QueueStore) {
  return (input: unknown) => {
    const { QueueUrl, ReceiptHandle } = Input.parse(input);
    store.queue(parseQueueUrl(QueueUrl)).delete(ReceiptHandle);
  };
}
