import type { IncomingMessage } from 'node:http';
import { AwsError } from './aws-error.ts';

/** Far above any limit of an AWS API that is not S3; larger bodies are refused rather than held in memory. */
export const LARGEST_BODY_BYTES = 256 * 1024 * 1024;

/**
 * Reads a whole body into memory.
 *
 * @throws {AwsError} `RequestEntityTooLarge`
 */
export async function readBody(incoming: IncomingMessage, largestBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // The stream outlives a refusal: the connection must stay whole for the answer.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    if (!Buffer.isBuffer(chunk)) throw new Error('the body was read as text');
    sizeBytes += chunk.length;
    if (sizeBytes > largestBytes) {
      incoming.resume();
      throw new AwsError('RequestEntityTooLarge', `The body must be at most ${largestBytes} bytes`, {
        statusCode: 413,
      });
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}
