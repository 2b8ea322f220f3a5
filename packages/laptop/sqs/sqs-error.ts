import { AwsError } from '../kernel/aws-error.ts';
import { type Finding, memberPath } from '../service-model/finding.ts';

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

/** SQS's error for input that its model rejects. Missing members and unknown attributes have their own codes. */
export function toSqsRefusal(findings: readonly Finding[]): AwsError | undefined {
  const missing = findings.find(({ kind }) => kind === 'missing');
  if (missing)
    return sqsError(
      'MissingParameter',
      `The request must contain the parameter ${memberPath(missing.path)}.`,
    );
  const attribute = findings.find(
    ({ kind, path }) => kind === 'constraint' && /^Attribute(s|Names)$/.test(String(path[0])),
  );
  return (
    attribute &&
    sqsError(
      'InvalidAttributeName',
      `Unknown Attribute ${attribute.path.length > 1 && attribute.path[0] === 'Attributes' ? attribute.path[1] : attribute.value}.`,
    )
  );
}

/** @throws {AwsError} `InvalidParameterValue`, as SQS words it, for a number outside its range */
export function checkRange(name: string, value: number | undefined, min: number, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  throw sqsError(
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be between ${min} and ${max}, if provided.`,
  );
}
