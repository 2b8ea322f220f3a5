import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({ SubscriptionArn: z.string() });

/** `Unsubscribe`; a missing one is not an error. */
export function unsubscribe(store: TopicStore) {
  return (input: unknown) => store.unsubscribe(Input.parse(input).SubscriptionArn);
}
