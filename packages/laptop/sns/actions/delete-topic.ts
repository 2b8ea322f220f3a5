import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import type { TopicStore } from '../topic-store.ts';

/** `DeleteTopic`; a missing one is not an error. */
export const deleteTopic = (store: TopicStore) =>
  action('DeleteTopic', {
    input: z.strictObject({ TopicArn: z.string() }),
    run: (input) => store.deleteTopic(input.TopicArn),
  });
