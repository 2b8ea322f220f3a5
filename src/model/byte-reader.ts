/** Takes and skips bytes of a stream, independent of how it is chunked. */
export class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();
  /** Bytes that are taken or skipped. */
  position = 0;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Undefined at the end, or where fewer bytes are left. */
  async take(count: number): Promise<Uint8Array | undefined> {
    const taken = new Uint8Array(count);
    for (let at = 0; at < count;) {
      if (this.#piece.length === 0 && !(await this.#next())) return undefined;
      const part = this.#piece.subarray(0, count - at);
      taken.set(part, at);
      at += part.length;
      this.#advance(part.length);
    }
    return taken;
  }

  /** False if fewer bytes are left. */
  async skip(count: number): Promise<boolean> {
    for (let left = count; left > 0;) {
      if (this.#piece.length === 0 && !(await this.#next())) return false;
      const step = Math.min(left, this.#piece.length);
      this.#advance(step);
      left -= step;
    }
    return true;
  }

  /** At most `count` bytes as they come; fewer at the end. */
  async *pieces(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0;) {
      if (this.#piece.length === 0 && !(await this.#next())) return;
      const piece = this.#piece.subarray(0, left);
      this.#advance(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** Reads the rest of the stream after the archive, so that the source can end. */
  async drain(): Promise<void> {
    while (await this.#next());
  }

  /** Reads the rest of the stream; whether it has a byte that is not zero. */
  async hasMore(): Promise<boolean> {
    let isZero = true;
    do isZero &&= this.#piece.every((byte) => byte === 0);
    while (await this.#next());
    return !isZero;
  }

  #advance(bytes: number): void {
    this.#piece = this.#piece.subarray(bytes);
    this.position += bytes;
  }

  async #next(): Promise<boolean> {
    const { value, done } = await this.#source.next();
    this.#piece = done === true ? new Uint8Array() : value;
    return done !== true;
  }
}
