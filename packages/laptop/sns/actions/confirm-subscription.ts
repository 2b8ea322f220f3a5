import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
  TopicArn: z.string(),
  Token: z.string(),
});

/** `ConfirmSubscription`, with the token that the endpoint was sent. */
export function confirmSubscription(store: TopicStore) {
  return (input: unknown) => {
    const { TopicArn, Token } = Input.parse(input);
    return { SubscriptionArn: store.confirm(TopicArn, Token).arn };
  };
}
