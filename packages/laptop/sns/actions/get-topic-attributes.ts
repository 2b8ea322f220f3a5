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
      return {
        Attributes: new Map([
          ['TopicArn', topic.arn],
          ['Owner', site.account],
          ['SubscriptionsConfirmed', String(subscriptions.length)],
          ['SubscriptionsPending', '0'],
          ['SubscriptionsDeleted', '0'],
          ['DisplayName', ''],
          ...Object.entries(topic.attributes),
        ]),
      };
    },
  });
