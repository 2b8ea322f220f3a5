import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
  SubscriptionArn: z.string(),
  AttributeName: z.string(),
  AttributeValue: z.string().default(''),
});

/** `SetSubscriptionAttributes`. */
export function setSubscriptionAttributes(store: TopicStore) {
  return (input: unknown) => {
    const { SubscriptionArn, AttributeName, AttributeValue } = Input.parse(input);
    store.setAttributes(SubscriptionArn, { [AttributeName]: AttributeValue });
  };
}
