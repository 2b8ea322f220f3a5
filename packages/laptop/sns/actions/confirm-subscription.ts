import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `ConfirmSubscription`, with the token that the endpoint was sent. */
export const confirmSubscription = (store: TopicStore) =>
  action('ConfirmSubscription', {
    input: z.strictObject({
      TopicArn: z.string(),
      Token: z.string(),
    }),
    run: ({ TopicArn, Token }) => ({ SubscriptionArn: store.confirm(TopicArn, Token).arn }),
  });
