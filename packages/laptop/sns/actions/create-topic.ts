import * as z from 'zod';
import { invalid } from '../message.ts';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
  Name: z.string(),
  Attributes: z.record(z.string(), z.string()).default({}),
});

/** `CreateTopic`; the same name again gives the same topic. */
export function createTopic(store: TopicStore) {
  return (input: unknown) => {
    const { Name, Attributes } = Input.parse(input);
    if (Attributes['FifoTopic'] === 'true' || Name.endsWith('.fifo')) {
      throw invalid('FifoTopic: this stack has standard topics only, FIFO topics are not emulated');
    }
    return { TopicArn: store.createTopic(Name, Attributes).arn };
  };
}
