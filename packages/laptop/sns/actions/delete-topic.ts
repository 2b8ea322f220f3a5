import * as z from 'zod';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({ TopicArn: z.string() });

/** `DeleteTopic`; a missing one is not an error. */
export function deleteTopic(store: TopicStore) {
  return (input: unknown) => store.deleteTopic(Input.parse(input).TopicArn);
}
