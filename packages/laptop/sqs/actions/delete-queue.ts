import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({ QueueUrl: z.string() });

/** `DeleteQueue`, with the messages in it; at once, where AWS takes up to a minute. */
export function deleteQueue(store: QueueStore) {
  return (input: unknown) => store.delete(parseQueueUrl(Input.parse(input).QueueUrl));
}
