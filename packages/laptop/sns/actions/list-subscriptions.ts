import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './page-after.ts';

/** `ListSubscriptions` and `ListSubscriptionsByTopic`, 100 a page. */
export const listSubscriptions = (
  name: 'ListSubscriptions' | 'ListSubscriptionsByTopic',
  store: TopicStore,
  site: Site,
) =>
  action(name, {
    input: z.strictObject({ TopicArn: z.string().optional(), NextToken: z.string().optional() }),
    run: ({ TopicArn, NextToken }) => {
      if (TopicArn !== undefined) store.topic(TopicArn);
      const all = store.subscriptions
        .all()
        .filter(({ topicArn }) => TopicArn === undefined || topicArn === TopicArn);
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
