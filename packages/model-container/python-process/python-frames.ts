/** One message between this program and Python: a JSON header and bytes that need no encoding. */
export interface Frame<Header = unknown> {
  readonly header: Header;
  readonly body: Buffer;
}

/** Two lengths. */
export const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 16 * 1024 ** 2;
/** Limit of a body. SageMaker's largest payload has 100 MB, a third more where it is written as base64. */
const MAX_BODY_BYTES = 256 * 1024 ** 2;

/** Two lengths (little-endian), the header, the body. */
export function encodeFrame(header: unknown, body: readonly Uint8Array[] = []): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(text.length, 0);
  prefix.writeUInt32LE(
    body.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return Buffer.concat([prefix, text, ...body]);
}

/** Cuts a stream into its frames. */
export class FrameReader<Header = unknown> {
  #pieces: Buffer[] = [];
  #held = 0;
  #wanted = PREFIX_BYTES;

  /** The frames that are whole with this piece. @throws {RangeError} {SyntaxError} for a stream of other things */
  push(piece: Buffer): Frame<Header>[] {
    this.#pieces.push(piece);
    this.#held += piece.length;
    const frames: Frame<Header>[] = [];
    while (this.#held >= this.#wanted) {
      const bytes = this.#join();
      const headerBytes = bytes.readUInt32LE(0);
      if (headerBytes > MAX_HEADER_BYTES)
        throw new RangeError(
          `a frame's header must have at most ${MAX_HEADER_BYTES} bytes, has ${headerBytes}`,
        );
      const bodyBytes = bytes.readUInt32LE(4);
      if (bodyBytes > MAX_BODY_BYTES)
        throw new RangeError(`a frame's body must have at most ${MAX_BODY_BYTES} bytes, has ${bodyBytes}`);
      const end = PREFIX_BYTES + headerBytes + bodyBytes;
      if (bytes.length < end) {
        this.#wanted = end;
        break;
      }
      const header: Header = JSON.parse(bytes.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headerBytes));
      frames.push({ header, body: bytes.subarray(PREFIX_BYTES + headerBytes, end) });
      const rest = bytes.subarray(end);
      this.#pieces = [rest];
      this.#held = rest.length;
      this.#wanted = PREFIX_BYTES;
    }
    return frames;
  }

  /** Joined only when a whole frame is there: joining at each piece would be quadratic in a frame's length. */
  #join(): Buffer {
    const [first] = this.#pieces;
    const bytes = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces);
    this.#pieces = [bytes];
    return bytes;
  }
}
