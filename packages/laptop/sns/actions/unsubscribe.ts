import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({ SubscriptionArn: z.string() });

/** `Unsubscribe`; one that is not there is no error. */
export function unsubscribe(store: TopicStore) {
  return (input: unknown) => store.unsubscribe(Input.parse(input).SubscriptionArn);
}
