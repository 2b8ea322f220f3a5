import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
  TopicArn: z.string(),
  Protocol: z.string(),
  Endpoint: z.string(),
  Attributes: z.record(z.string(), z.string()).default({}),
  ReturnSubscriptionArn: z.boolean().default(false),
});

/** `Subscribe`; an HTTP endpoint is sent a confirmation to answer. */
export function subscribe(store: TopicStore) {
  return (input: unknown) => {
    const { TopicArn, Protocol, Endpoint, Attributes, ReturnSubscriptionArn } = Input.parse(input);
    const { arn, confirmed } = store.subscribe(TopicArn, Protocol, Endpoint, Attributes);
    return { SubscriptionArn: confirmed || ReturnSubscriptionArn ? arn : 'pending confirmation' };
  };
}
