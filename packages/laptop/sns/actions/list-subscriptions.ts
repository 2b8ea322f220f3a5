import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './page-after.ts';

const Input = z.strictObject({ TopicArn: z.string().optional(), NextToken: z.string().optional() });

/** `ListSubscriptions` and `ListSubscriptionsByTopic`, 100 a page. */
export function listSubscriptions(store: TopicStore, site: Site) {
  return (input: unknown) => {
    const { TopicArn, NextToken } = Input.parse(input);
    if (TopicArn !== undefined) store.topic(TopicArn);
    const all = store
      .subscriptions()
      .filter(({ topicArn }) => TopicArn === undefined || topicArn === TopicArn);
    const page = pageAfter(all, NextToken);
    return {
      Subscriptions: page.items.map((subscription) => ({
        SubscriptionArn: subscription.confirmed ? subscription.arn : 'PendingConfirmation',
        Owner: site.account,
        Protocol: subscription.protocol,
        Endpoint: subscription.endpoint,
        TopicArn: subscription.topicArn,
      })),
      NextToken: page.nextToken,
    };
  };
}
