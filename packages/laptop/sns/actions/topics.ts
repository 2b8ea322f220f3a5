import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Site } from '../../kernel/service.ts';
import { publishing } from '../asked-of-role.ts';
import { invalid, MessageInput, toMessage } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';
import { pageAfter } from './subscriptions.ts';

/** Calls on topics. */
export const topicActions = (store: TopicStore, site: Site, clock: Clock, newId: () => string) => [
  /** `CreateTopic`; the same name again gives the same topic. */
  action('CreateTopic', {
    input: z.strictObject({
      Name: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
    }),
    run: ({ Name, Attributes }) => {
      if (Attributes['FifoTopic'] === 'true' || Name.endsWith('.fifo'))
        throw invalid('FifoTopic: this stack has standard topics only, FIFO topics are not emulated');
      return { TopicArn: store.createTopic(Name, Attributes).arn };
    },
  }),
  /** `GetTopicAttributes`. */
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
  }),
  /** `ListTopics`, 100 a page. */
  action('ListTopics', {
    input: z.strictObject({ NextToken: z.string().optional() }),
    run: (input) => {
      const page = pageAfter(store.topics(), input.NextToken);
      return { Topics: page.items.map(({ arn }) => ({ TopicArn: arn })), NextToken: page.nextToken };
    },
  }),
  /** `Publish` to a topic; phones and mobile applications are not emulated. */
  action('Publish', {
    input: z.strictObject({
      ...MessageInput.shape,
      TopicArn: z.string().optional(),
      TargetArn: z.string().optional(),
    }),
    permissions: publishing(store, site),
    run: async (parsed) => {
      const topicArn = parsed.TopicArn ?? parsed.TargetArn;
      if (topicArn === undefined) throw invalid('TopicArn: this stack publishes to topics only');
      const message = toMessage(parsed, newId(), clock.now());
      await store.publish(topicArn, message);
      return { MessageId: message.id };
    },
  }),
];
