import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `Unsubscribe`; a missing one is not an error. */
export const unsubscribe = (store: TopicStore) =>
  action('Unsubscribe', {
    input: z.strictObject({ SubscriptionArn: z.string() }),
    run: (input) => store.subscriptions.remove(input.SubscriptionArn),
  });
