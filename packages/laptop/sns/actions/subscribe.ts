import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `Subscribe`; an HTTP endpoint is sent a confirmation to answer. */
export const subscribe = (store: TopicStore) =>
  action('Subscribe', {
    input: z.strictObject({
      TopicArn: z.string(),
      Protocol: z.string(),
      Endpoint: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
      ReturnSubscriptionArn: z.boolean().default(false),
    }),
    run: ({ TopicArn, Protocol, Endpoint, Attributes, ReturnSubscriptionArn }) => {
      const { arn, confirmed } = store.subscribe(TopicArn, Protocol, Endpoint, Attributes);
      return { SubscriptionArn: confirmed || ReturnSubscriptionArn ? arn : 'pending confirmation' };
    },
  });
