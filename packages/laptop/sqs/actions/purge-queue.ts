import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({ QueueUrl: z.string() });

/** `PurgeQueue`; at once, and as often as one likes, where AWS takes and asks for a minute. */
export function purgeQueue(store: QueueStore) {
  return (input: unknown) => store.queue(parseQueueUrl(Input.parse(input).QueueUrl)).purge();
}
