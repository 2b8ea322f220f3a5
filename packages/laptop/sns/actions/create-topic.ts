import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { invalid } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';

/** `CreateTopic`; the same name again gives the same topic. */
export const createTopic = (store: TopicStore) =>
  action('CreateTopic', {
    input: z.strictObject({
      Name: z.string(),
      Attributes: z.record(z.string(), z.string()).default({}),
    }),
    run: ({ Name, Attributes }) => {
      if (Attributes['FifoTopic'] === 'true' || Name.endsWith('.fifo')) {
        throw invalid('FifoTopic: this stack has standard topics only, FIFO topics are not emulated');
      }
      return { TopicArn: store.createTopic(Name, Attributes).arn };
    },
  });
