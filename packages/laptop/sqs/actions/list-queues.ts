import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { QueueStore } from '../queue-store.ts';
import { toQueueUrl } from '../queue-url.ts';

/** `ListQueues`, in the order of names; the token is the last name given. */
export const listQueues = (store: QueueStore, site: Site) =>
  action('ListQueues', {
    input: z.strictObject({
      QueueNamePrefix: z.string().default(''),
      MaxResults: z.number().int().min(1).max(1000).default(1000),
      NextToken: z.string().optional(),
    }),
    run: ({ QueueNamePrefix, MaxResults, NextToken = '' }) => {
      const names = store.names().filter((name) => name.startsWith(QueueNamePrefix) && name > NextToken);
      const page = names.slice(0, MaxResults);
      return {
        QueueUrls: page.length > 0 ? page.map((name) => toQueueUrl(site, name)) : undefined,
        NextToken: names.length > page.length ? page.at(-1) : undefined,
      };
    },
  });
