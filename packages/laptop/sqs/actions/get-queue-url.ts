import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { QueueStore } from '../queue-store.ts';
import { toQueueUrl } from '../queue-url.ts';
import { queueDoesNotExist } from '../sqs-error.ts';

/** `GetQueueUrl`. */
export const getQueueUrl = (store: QueueStore, site: Site) =>
  action('GetQueueUrl', {
    input: z.strictObject({ QueueName: z.string() }),
    run: ({ QueueName }) => {
      if (!store.record(QueueName)) throw queueDoesNotExist();
      return { QueueUrl: toQueueUrl(site, QueueName) };
    },
  });
