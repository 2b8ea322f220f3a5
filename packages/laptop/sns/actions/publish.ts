import * as z from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { invalid, MessageInput, toMessage } from '../message.ts';
import type { TopicStore } from '../topic-store.ts';

const Input = z.strictObject({
  ...MessageInput.shape,
  TopicArn: z.string().optional(),
  TargetArn: z.string().optional(),
});

/** `Publish` to a topic; phones and mobile applications are not emulated. */
export function publish(store: TopicStore, clock: Clock, newId: () => string) {
  return async (input: unknown) => {
    const parsed = Input.parse(input);
    const topicArn = parsed.TopicArn ?? parsed.TargetArn;
    if (topicArn === undefined) throw invalid('TopicArn: this stack publishes to topics only');
    const message = toMessage(parsed, newId(), clock.now());
    await store.publish(topicArn, message);
    return { MessageId: message.id };
  };
}
