import { AwsError } from '../../kernel/aws-error.ts';
import { sqsError } from '../sqs-error.ts';

/** The answer of every batch call: each entry succeeds or fails on its own. */
export interface BatchAnswer<T> {
  readonly Successful: T[];
  readonly Failed: { Id: string; SenderFault: boolean; Code: string; Message: string }[];
}

/**
 * Does `act` for each entry.
 *
 * @throws {AwsError} for an empty batch, more than 10 entries, or an id twice
 */
export async function actOnBatch<E extends { readonly Id: string }, T>(
  entries: readonly E[],
  act: (entry: E) => Promise<T> | T,
): Promise<BatchAnswer<T>> {
  if (entries.length === 0)
    throw sqsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > 10)
    throw sqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  const ids = entries.map(({ Id }) => Id);
  const wrong = ids.find((id) => !BATCH_ENTRY_ID.test(id));
  if (wrong !== undefined)
    throw sqsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 ' +
        `letters long. (is ${JSON.stringify(wrong)})`,
    );
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw sqsError('BatchEntryIdsNotDistinct', `Id ${repeated} repeated.`);
  const answer: BatchAnswer<T> = { Successful: [], Failed: [] };
  for (const entry of entries) {
    try {
      answer.Successful.push(await act(entry));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      answer.Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return answer;
}

/** The id of a batch entry: 1 to 80 letters, digits, `-` and `_`. */
const BATCH_ENTRY_ID = /^[\w-]{1,80}$/;
