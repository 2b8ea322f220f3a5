import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Site } from '../../kernel/service.ts';
import { publishing } from '../asked-of-role.ts';
import { invalid, MessageInput, toMessage } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';

/** `Publish` to a topic; phones and mobile applications are not emulated. */
export const publish = (store: TopicStore, site: Site, clock: Clock, newId: () => string) =>
  action('Publish', {
    input: z.strictObject({
      ...MessageInput.shape,
      TopicArn: z.string().optional(),
      TargetArn: z.string().optional(),
    }),
    permissions: publishing(store, site),
    run: async (parsed) => {
      const topicArn = parsed.TopicArn ?? parsed.TargetArn;
      if (topicArn === undefined) throw invalid('TopicArn: this stack publishes to topics only');
      const message = toMessage(parsed, newId(), clock.now());
      await store.publish(topicArn, message);
      return { MessageId: message.id };
    },
  });
