import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

/** `PurgeQueue` works at once and as often as you like; AWS takes a minute and allows one a minute. */
export const purgeQueue = (store: QueueStore) =>
  action('PurgeQueue', {
    input: z.strictObject({ QueueUrl: z.string() }),
    run: (input) => store.queue(parseQueueUrl(input.QueueUrl)).purge(),
  });
