import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './page-after.ts';

/** `ListTopics`, 100 a page. */
export const listTopics = (store: TopicStore) =>
  action('ListTopics', {
    input: z.strictObject({ NextToken: z.string().optional() }),
    run: (input) => {
      const page = pageAfter(store.topics(), input.NextToken);
      return { Topics: page.items.map(({ arn }) => ({ TopicArn: arn })), NextToken: page.nextToken };
    },
  });
