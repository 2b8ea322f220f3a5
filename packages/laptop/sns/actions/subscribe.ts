import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { invalid } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';

/** `Subscribe`: an e-mail address or a queue, confirmed at once. */
export const subscribe = (store: TopicStore) =>
  action('Subscribe', {
    input: z.strictObject({
      TopicArn: z.string(),
      Protocol: z.string(),
      Endpoint: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
      ReturnSubscriptionArn: z.boolean().optional(),
    }),
    run: ({ TopicArn, Protocol, Endpoint, Attributes }) => {
      const [attribute] = Object.keys(Attributes);
      if (attribute !== undefined)
        throw invalid(`Attributes Reason: the local stack does not emulate ${attribute} of subscriptions`);
      return { SubscriptionArn: store.subscribe(TopicArn, Protocol, Endpoint).arn };
    },
  });
