import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Site } from '../../kernel/service.ts';
import { toSubscriptionAttributes } from '../subscription-attributes.ts';
import type { TopicStore } from '../topic-store.ts';

/** `GetSubscriptionAttributes`. */
export const getSubscriptionAttributes = (store: TopicStore, site: Site) =>
  action('GetSubscriptionAttributes', {
    input: z.strictObject({ SubscriptionArn: z.string() }),
    run: (input) => {
      const subscription = store.subscriptions.find(input.SubscriptionArn);
      return { Attributes: toSubscriptionAttributes(subscription, site.account) };
    },
  });
