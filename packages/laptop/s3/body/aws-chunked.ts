import { createHash } from 'node:crypto';
import type { ChunkSigning } from '../../gateway/signing-key.ts';
import { AwsError } from '../../kernel/aws-error.ts';

const EMPTY_SHA256 = createHash('sha256').digest('hex');
/** A chunk's head is a length and a signature; a trailer is a name and a checksum. */
const MAX_LINE_BYTES = 4096;
const CRLF = Buffer.from('\r\n');

/**
 * Decodes the `aws-chunked` form of a body (`<hex length>[;chunk-signature=…]\r\n<data>\r\n … 0\r\n<trailers>\r\n`) as it arrives
 * and yields the data; `trailers` fills at the end. If chunks are signed, each signature is verified, but data is yielded before
 * its chunk is verified, so it must not count before the end.
 *
 * @throws {AwsError} `IncompleteBody`, `InvalidChunkSizeError`, `SignatureDoesNotMatch`
 */
export async function* decodeAwsChunked(
  source: AsyncIterable<Buffer>,
  trailers: Map<string, string>,
  signing: ChunkSigning | undefined,
): AsyncGenerator<Buffer> {
  const input = new Input(source);
  try {
    yield* decode(input, trailers, signing);
  } finally {
    await input.close();
  }
}

async function* decode(
  input: Input,
  trailers: Map<string, string>,
  signing: ChunkSigning | undefined,
): AsyncGenerator<Buffer> {
  const signatures = signing && new SignatureChain(signing);
  for (;;) {
    const head = parseChunkHead(await input.line());
    const hash = signatures && createHash('sha256');
    for (let left = head.size; left > 0;) {
      const data = await input.take(left);
      left -= data.length;
      hash?.update(data);
      yield data;
    }
    signatures?.verifyChunk(head.signature, hash?.digest('hex') ?? '');
    if (head.size === 0) break;
    if ((await input.line()) !== '') throw incomplete('a chunk is longer than its length says');
  }
  for (let line = await input.line(); line !== ''; line = await input.line()) {
    const colon = line.indexOf(':');
    if (colon < 0) throw incomplete(`a trailer must be name:value, is ${line}`);
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  const trailerSignature = trailers.get('x-amz-trailer-signature');
  if (trailerSignature !== undefined) {
    trailers.delete('x-amz-trailer-signature');
    signatures?.verifyTrailers(trailerSignature, trailers);
  }
}

function parseChunkHead(line: string): { readonly size: number; readonly signature: string | undefined } {
  const head = /^([0-9a-f]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/i.exec(line);
  if (!head?.[1])
    throw new AwsError(
      'InvalidChunkSizeError',
      `A chunk must begin with its length, not with ${line.slice(0, 40)}`,
    );
  return { size: Number.parseInt(head[1], 16), signature: head[2] };
}

/** Each chunk is signed upon the signature before it. */
class SignatureChain {
  readonly #signing: ChunkSigning;
  #previous: string;

  constructor(signing: ChunkSigning) {
    this.#signing = signing;
    this.#previous = signing.seed;
  }

  verifyChunk(signature: string | undefined, dataHash: string): void {
    this.#verify('AWS4-HMAC-SHA256-PAYLOAD', signature, [EMPTY_SHA256, dataHash]);
  }

  verifyTrailers(signature: string, trailers: ReadonlyMap<string, string>): void {
    const lines = [...trailers].map(([name, value]) => `${name}:${value}\n`).join('');
    this.#verify('AWS4-HMAC-SHA256-TRAILER', signature, [createHash('sha256').update(lines).digest('hex')]);
  }

  #verify(algorithm: string, signature: string | undefined, lines: readonly string[]): void {
    const expected = this.#signing.sign(algorithm, [this.#previous, ...lines]);
    if (signature !== expected)
      throw new AwsError(
        'SignatureDoesNotMatch',
        'The signature of a chunk does not match the one we calculated',
        {
          statusCode: 403,
        },
      );
    this.#previous = expected;
  }
}

/** Bytes as they come, taken by line or by count. */
class Input {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Without its CRLF. */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(CRLF);
      if (end >= 0) {
        const line = this.#rest.toString('latin1', 0, end);
        this.#rest = this.#rest.subarray(end + CRLF.length);
        return line;
      }
      if (this.#rest.length > MAX_LINE_BYTES) throw incomplete(`a line is over ${MAX_LINE_BYTES} bytes`);
      this.#rest = Buffer.concat([this.#rest, await this.#next()]);
    }
  }

  /** At least one byte, at most `count`, without copying. */
  async take(count: number): Promise<Buffer> {
    if (this.#rest.length === 0) this.#rest = await this.#next();
    const data = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(data.length);
    return data;
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer> {
    for (;;) {
      const next = await this.#source.next();
      if (next.done) throw incomplete('it ends in the middle of a chunk');
      if (next.value.length > 0) return next.value;
    }
  }
}

function incomplete(reason: string): AwsError {
  return new AwsError('IncompleteBody', `The aws-chunked body is not whole: ${reason}`);
}
