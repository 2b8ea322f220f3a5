import type { IncomingMessage } from 'node:http';
import { AwsError } from '../kernel/aws-error.ts';

/** Far above any limit of an AWS API that is not S3; larger bodies are refused rather than held in memory. */
export const MAX_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Reads a whole body into memory.
 *
 * @throws {AwsError} `RequestEntityTooLarge`
 */
export function readBody(incoming: IncomingMessage, largestBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes <= largestBytes) return;
      // The stream outlives the refusal: the connection must stay whole for the answer.
      incoming.off('data', take);
      incoming.resume();
      reject(
        new AwsError('RequestEntityTooLarge', `The body must be at most ${largestBytes} bytes`, {
          statusCode: 413,
        }),
      );
    };
    const gone = (): void => {
      if (!incoming.readableEnded)
        reject(new AwsError('RequestTimeout', 'The client went away before its request was whole'));
    };
    if (incoming.destroyed) return gone();
    incoming.on('data', take);
    incoming.once('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.once('error', reject);
    incoming.once('close', gone);
  });
}
