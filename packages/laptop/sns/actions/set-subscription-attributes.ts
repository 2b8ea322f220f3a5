import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `SetSubscriptionAttributes`. */
export const setSubscriptionAttributes = (store: TopicStore) =>
  action('SetSubscriptionAttributes', {
    input: z.strictObject({
      SubscriptionArn: z.string(),
      AttributeName: z.string(),
      AttributeValue: z.string().default(''),
    }),
    run: ({ SubscriptionArn, AttributeName, AttributeValue }) => {
      store.setAttributes(SubscriptionArn, { [AttributeName]: AttributeValue });
    },
  });
