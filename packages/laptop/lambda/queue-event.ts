import * as z from 'zod';
import { jsonOrUndefined } from '../kernel/json.ts';
import type { Site } from '../kernel/service.ts';
import type { ReceivedMessage } from '../sqs/queue.ts';
import { bodyMd5, type MessageAttributes, toSystemAttributes } from '../sqs/queue-message.ts';

const BatchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/** A batch of messages as a function receives them. */
export function toQueueEvent(batch: readonly ReceivedMessage[], queueArn: string, site: Site): unknown {
  return { Records: batch.map((received) => toRecord(received, queueArn, site)) };
}

/** The ids of a batch that a function gave back as failed; all of them if it answered something else than Lambda asks for. */
export function failedIds(response: string, batch: readonly ReceivedMessage[]): ReadonlySet<string> {
  const all = new Set(batch.map(({ message }) => message.id));
  // Text that is not JSON is not a list of failures: the schema refuses it and the whole batch is redelivered.
  const answer = jsonOrUndefined(response);
  const parsed = BatchResponse.safeParse(answer === null ? {} : answer);
  if (!parsed.success) return all;
  const ids = new Set(parsed.data.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  return ids.isSubsetOf(all) ? ids : all;
}

function toRecord({ message, receiptHandle }: ReceivedMessage, queueArn: string, site: Site): unknown {
  return {
    messageId: message.id,
    receiptHandle,
    body: message.body,
    attributes: toSystemAttributes(message, site),
    messageAttributes: toRecordAttributes(message.attributes ?? {}),
    md5OfBody: bodyMd5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: site.region,
  };
}

function toRecordAttributes(attributes: MessageAttributes): unknown {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
      name,
      {
        stringValue: StringValue,
        binaryValue: BinaryValue,
        stringListValues: [],
        binaryListValues: [],
        dataType: DataType,
      },
    ]),
  );
}
