import * as z from 'zod';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

const Input = z.strictObject({ QueueUrl: z.string(), Attributes: z.record(z.string(), z.string()) });

/** `SetQueueAttributes`. */
export function setQueueAttributes(store: QueueStore) {
  return (input: unknown) => {
    const { QueueUrl, Attributes } = Input.parse(input);
    store.setAttributes(parseQueueUrl(QueueUrl), Attributes);
  };
}
