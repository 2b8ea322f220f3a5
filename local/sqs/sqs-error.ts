import { AwsError } from '../gateway/aws-error.ts';

/** The names that clients of SQS's older Query protocol know; newer clients read them from a header. */
const QUERY_CODES: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  ReceiptHandleIsInvalid: 'ReceiptHandleIsInvalid',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
};

/** An SQS error in both of the forms that clients look for. */
export function sqsError(code: string, message: string): AwsError {
  return new AwsError(code, message, {
    headers: { 'x-amzn-query-error': `${QUERY_CODES[code] ?? code};Sender` },
  });
}

/** The queue is not there. */
export function queueDoesNotExist(): AwsError {
  return sqsError('QueueDoesNotExist', 'The specified queue does not exist.');
}
