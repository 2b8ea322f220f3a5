import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { messageSizeBytes } from '../queue-message.ts';
import type { QueueStore } from '../queue-store.ts';
import { parseQueueUrl } from '../queue-url.ts';
import { sqsError } from '../sqs-error.ts';
import { actOnBatch } from './batch.ts';
import { DraftInput, toDraft, toReceiptSums } from './message-draft.ts';

const MAX_BATCH_BYTES = 1_048_576;

/** `SendMessageBatch`: at most 10 messages and 1 MiB. */
export const sendMessageBatch = (store: QueueStore) =>
  action('SendMessageBatch', {
    input: z.strictObject({
      QueueUrl: z.string(),
      Entries: z.array(z.strictObject({ Id: z.string(), ...DraftInput })),
    }),
    run: async ({ QueueUrl, Entries }) => {
      const name = parseQueueUrl(QueueUrl);
      const { maximumMessageSize } = store.queue(name).settings;
      const sizeBytes = Entries.reduce(
        (sum, entry) => sum + messageSizeBytes(entry.MessageBody, entry.MessageAttributes),
        0,
      );
      if (sizeBytes > MAX_BATCH_BYTES) {
        throw sqsError(
          'BatchRequestTooLong',
          `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${sizeBytes} bytes.`,
        );
      }
      return actOnBatch(Entries, async (entry) => {
        const draft = toDraft(entry, maximumMessageSize);
        return { Id: entry.Id, MessageId: await store.send(name, draft), ...toReceiptSums(draft) };
      });
    },
  });
