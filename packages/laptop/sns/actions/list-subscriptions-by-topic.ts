import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './page-after.ts';

/** `ListSubscriptionsByTopic`, 100 a page. */
export const listSubscriptionsByTopic = (store: TopicStore, site: Site) =>
  action('ListSubscriptionsByTopic', {
    input: z.strictObject({ TopicArn: z.string(), NextToken: z.string().optional() }),
    run: ({ TopicArn, NextToken }) => {
      store.topic(TopicArn);
      const all = store.subscriptions.all().filter(({ topicArn }) => topicArn === TopicArn);
      const page = pageAfter(all, NextToken);
      return {
        Subscriptions: page.items.map((subscription) => ({
          SubscriptionArn: subscription.arn,
          Owner: site.account,
          Protocol: subscription.protocol,
          Endpoint: subscription.endpoint,
          TopicArn: subscription.topicArn,
        })),
        NextToken: page.nextToken,
      };
    },
  });
