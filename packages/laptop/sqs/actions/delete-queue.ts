import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

/** `DeleteQueue` deletes the queue and its messages at once; AWS takes up to a minute. */
export const deleteQueue = (store: QueueStore) =>
  action('DeleteQueue', {
    input: z.strictObject({ QueueUrl: z.string() }),
    run: (input) => store.delete(parseQueueUrl(input.QueueUrl)),
  });
