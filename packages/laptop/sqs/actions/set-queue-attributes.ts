import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';

/** `SetQueueAttributes`. */
export const setQueueAttributes = (store: QueueStore) =>
  action('SetQueueAttributes', {
    input: z.strictObject({ QueueUrl: z.string(), Attributes: z.record(z.string(), z.string()) }),
    run: ({ QueueUrl, Attributes }) => {
      store.setAttributes(parseQueueUrl(QueueUrl), Attributes);
    },
  });
