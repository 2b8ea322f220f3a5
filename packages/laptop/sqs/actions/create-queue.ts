import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { QueueStore } from '../queue-store.ts';
import { toQueueUrl } from '../queue-url.ts';

/** `CreateQueue`; the same name and attributes again give the same queue. */
export const createQueue = (store: QueueStore, site: Site) =>
  action('CreateQueue', {
    input: z.strictObject({
      QueueName: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
    }),
    run: ({ QueueName, Attributes }) => {
      store.create(QueueName, Attributes);
      return { QueueUrl: toQueueUrl(site, QueueName) };
    },
  });
