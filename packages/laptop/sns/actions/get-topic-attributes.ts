import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';

/** `GetTopicAttributes`. */
export const getTopicAttributes = (store: TopicStore, site: Site) =>
  action('GetTopicAttributes', {
    input: z.strictObject({ TopicArn: z.string() }),
    run: (input) => {
      const topic = store.topic(input.TopicArn);
      const subscriptions = store.subscriptions.all().filter(({ topicArn }) => topicArn === topic.arn);
      const confirmed = subscriptions.filter((subscription) => subscription.confirmed).length;
      return {
        Attributes: new Map([
          ['TopicArn', topic.arn],
          ['Owner', site.account],
          ['SubscriptionsConfirmed', String(confirmed)],
          ['SubscriptionsPending', String(subscriptions.length - confirmed)],
          ['SubscriptionsDeleted', '0'],
          ['DisplayName', ''],
          ...Object.entries(topic.attributes),
        ]),
      };
    },
  });
