import * as z from 'zod';
import type { Site } from '../../kernel/service.ts';
import { toSubscriptionAttributes } from '../subscription-attributes.ts';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({ SubscriptionArn: z.string() });

/** `GetSubscriptionAttributes`. */
export function getSubscriptionAttributes(store: TopicStore, site: Site) {
  return (input: unknown) => {
    const subscription = store.subscription(Input.parse(input).SubscriptionArn);
    return { Attributes: toSubscriptionAttributes(subscription, site.account) };
  };
}
