import { sqsError } from './sqs-error.ts';

/** Names one receive of one message: `receipt` is how often the message had been received then. */
export function toReceiptHandle(id: string, receipt: number): string {
  return Buffer.from(`${id}#${receipt}`).toString('base64');
}

/** @throws {AwsError} `ReceiptHandleIsInvalid` */
export function parseReceiptHandle(handle: string): { readonly id: string; readonly receipt: number } {
  const [, id, receipt] = /^([\w-]+)#(\d+)$/.exec(Buffer.from(handle, 'base64').toString('utf8')) ?? [];
  if (id === undefined) {
    throw sqsError(
      'ReceiptHandleIsInvalid',
      `The input receipt handle ${JSON.stringify(handle)} is not a valid receipt handle.`,
    );
  }
  return { id, receipt: Number(receipt) };
}
