import { BrokenModel } from './servable-model.ts';

/** Walks over bytes and never past their end: every method throws {@link BrokenModel} instead. */
export class ByteCursor {
  position: number;
  readonly #bytes: Uint8Array;
  readonly #what: string;

  constructor(bytes: Uint8Array, what: string, position = 0) {
    this.#bytes = bytes;
    this.#what = what;
    this.position = position;
  }

  atEnd(): boolean {
    return this.position >= this.#bytes.length;
  }

  /** A view on the next bytes. */
  take(length: number): Uint8Array {
    const start = this.position;
    if (length < 0 || length > this.#bytes.length - start)
      throw new BrokenModel(
        `${this.#what}: wants ${length} bytes at ${start}, has ${this.#bytes.length - start}`,
      );
    this.position = start + length;
    return this.#bytes.subarray(start, start + length);
  }

  /** An unsigned little-endian integer of 1 to 4 bytes. */
  uint(sizeBytes: number): number {
    return this.take(sizeBytes).reduceRight((value, byte) => value * 256 + byte, 0);
  }

  /** An unsigned base-128 integer below 2^53. */
  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 53; scale *= 128) {
      const byte = this.uint(1);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new BrokenModel(`${this.#what}: varint too long at ${this.position}`);
  }
}
