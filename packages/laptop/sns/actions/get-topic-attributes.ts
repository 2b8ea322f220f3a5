import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({ TopicArn: z.string() });

/** `GetTopicAttributes`. */
export function getTopicAttributes(store: TopicStore, site: Site) {
  return (input: unknown) => {
    const topic = store.topic(Input.parse(input).TopicArn);
    const subscriptions = store.subscriptions().filter(({ topicArn }) => topicArn === topic.arn);
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
  };
}
