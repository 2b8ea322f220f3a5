import type { IncomingMessage } from 'node:http';
import { RequestProblem } from '../../api/problem-details.ts';

/**
 * The body of a request as text; one that's longer is heard to its end, so that its sender hears why, and not kept.
 *
 * @throws {RequestProblem}
 */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('a body is bytes');
    bytes += piece.length;
    if (bytes <= maxBytes) pieces.push(piece);
  }
  if (bytes > maxBytes)
    throw new RequestProblem(
      'body-too-large',
      `a text of at most ${maxBytes} bytes is read, this has ${bytes}`,
    );
  return Buffer.concat(pieces).toString('utf8');
}
