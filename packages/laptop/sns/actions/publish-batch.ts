import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { AwsError } from '../../kernel/aws-error.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Site } from '../../kernel/service.ts';
import { publishing } from '../asked-of-role.ts';
import { MessageInput, toMessage } from '../topic-message.ts';
import type { TopicStore } from '../topic-store.ts';

/** `PublishBatch`: at most 10 messages, each taken or refused by itself. */
export const publishBatch = (store: TopicStore, site: Site, clock: Clock, newId: () => string) =>
  action('PublishBatch', {
    input: z.strictObject({
      TopicArn: z.string(),
      PublishBatchRequestEntries: z
        .array(z.strictObject({ Id: z.string(), ...MessageInput.shape }))
        .default([]),
    }),
    permissions: publishing(store, site),
    run: async ({ TopicArn, PublishBatchRequestEntries: entries }) => {
      store.topic(TopicArn);
      if (entries.length === 0)
        throw new AwsError('EmptyBatchRequest', "The batch request doesn't contain any entries.");
      if (entries.length > 10) {
        throw new AwsError(
          'TooManyEntriesInBatchRequest',
          'The batch request contains more entries than permissible.',
        );
      }
      if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
        throw new AwsError(
          'BatchEntryIdsNotDistinct',
          'Two or more batch entries in the request have the same Id.',
        );
      }
      const Successful: { Id: string; MessageId: string }[] = [];
      const Failed: { Id: string; Code: string; Message: string; SenderFault: boolean }[] = [];
      for (const { Id, ...entry } of entries) {
        try {
          const message = toMessage(entry, newId(), clock.now());
          await store.publish(TopicArn, message);
          Successful.push({ Id, MessageId: message.id });
        } catch (error) {
          if (!(error instanceof AwsError)) throw error;
          Failed.push({ Id, Code: error.code, Message: error.message, SenderFault: true });
        }
      }
      return { Successful, Failed };
    },
  });
