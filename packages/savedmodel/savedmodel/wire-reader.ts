import { BrokenModel } from './servable-model.ts';

/** Protocol Buffers' own limit on nested messages, which keeps a crafted file from exhausting the stack. */
const MAX_DEPTH = 100;

const text = new TextDecoder();

/**
 * Reads one message in the Protocol Buffers wire format, field by field; nothing is read past its end.
 * Fields that the caller does not ask for are skipped.
 *
 * Every method throws {@link BrokenModel} on damaged bytes.
 * https://protobuf.dev/programming-guides/encoding/
 */
export class WireReader {
  /** Number of the current field. */
  field = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #depth: number;
  #position = 0;
  #wireType = 0;
  #consumed = true;

  constructor(bytes: Uint8Array, depth = 0) {
    if (depth > MAX_DEPTH) throw new BrokenModel(`Protocol buffer nests deeper than ${MAX_DEPTH} messages`);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#depth = depth;
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (!this.#consumed) this.#skip();
    if (this.#position >= this.#bytes.length) return false;
    const tag = this.#unsigned();
    this.field = Math.floor(tag / 8);
    this.#wireType = tag % 8;
    this.#consumed = false;
    if (this.field === 0) throw this.#damaged('field number 0');
    // Other readers cut such a tag to 32 bits, and see another field.
    if (tag >= 2 ** 32) throw this.#damaged(`field ${this.field}`);
    return true;
  }

  /** A signed integer; exact up to 2^53. */
  int(): number {
    return Number(this.int64());
  }

  /** A signed 64-bit integer. */
  int64(): bigint {
    this.#expect(0);
    return this.#signed();
  }

  bool(): boolean {
    return this.int64() !== 0n;
  }

  float(): number {
    this.#expect(5);
    return this.#view.getFloat32(this.#take(4), true);
  }

  fixed32(): number {
    this.#expect(5);
    return this.#view.getUint32(this.#take(4), true);
  }

  /** A view on the field's bytes, not a copy. */
  bytes(): Uint8Array {
    this.#expect(2);
    const length = this.#unsigned();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  text(): string {
    return text.decode(this.bytes());
  }

  /** A reader of the nested message. */
  message(): WireReader {
    return new WireReader(this.bytes(), this.#depth + 1);
  }

  /** Adds the integers of a repeated field, packed or not. */
  ints(target: bigint[]): void {
    this.#repeated(target, 0, (reader) => reader.#signed());
  }

  /** Adds the 32-bit floats of a repeated field, packed or not. */
  floats(target: number[]): void {
    this.#repeated(target, 5, (reader) => reader.#view.getFloat32(reader.#take(4), true));
  }

  /** Adds the 64-bit floats of a repeated field, packed or not. */
  doubles(target: number[]): void {
    this.#repeated(target, 1, (reader) => reader.#view.getFloat64(reader.#take(8), true));
  }

  #repeated<T>(target: T[], wireType: number, read: (reader: WireReader) => T): void {
    if (this.#wireType === 2) {
      const packed = new WireReader(this.bytes(), this.#depth);
      while (packed.#position < packed.#bytes.length) target.push(read(packed));
    } else {
      this.#expect(wireType);
      target.push(read(this));
    }
  }

  #expect(wireType: number): void {
    if (this.#wireType !== wireType)
      throw this.#damaged(`field ${this.field} has wire type ${this.#wireType}`);
    this.#consumed = true;
  }

  #skip(): void {
    this.#consumed = true;
    if (this.#wireType === 0) this.#unsigned();
    else if (this.#wireType === 1) this.#take(8);
    else if (this.#wireType === 2) this.#take(this.#unsigned());
    else if (this.#wireType === 5) this.#take(4);
    else throw this.#damaged(`field ${this.field} has wire type ${this.#wireType}`);
  }

  /** Start of the next `length` bytes, which are then behind the reader. */
  #take(length: number): number {
    const start = this.#position;
    if (length > this.#bytes.length - start) throw this.#damaged(`field ${this.field} runs past the end`);
    this.#position = start + length;
    return start;
  }

  /** A varint below 2^53: a tag or a length. */
  #unsigned(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < 10; index++) {
      const byte = this.#view.getUint8(this.#take(1));
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    throw this.#damaged('varint longer than 10 bytes');
  }

  #signed(): bigint {
    let low = 0;
    let value = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = this.#view.getUint8(this.#take(1));
      // Four groups of seven bits fit a small integer: most numbers need no BigInt arithmetic.
      if (index < 4) low |= (byte & 0x7f) << (7 * index);
      else value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return index < 4 ? BigInt(low) : BigInt.asIntN(64, value | BigInt(low));
    }
    throw this.#damaged('varint longer than 10 bytes');
  }

  #damaged(what: string): BrokenModel {
    return new BrokenModel(
      `Damaged protocol buffer: ${what} (byte ${this.#position} of ${this.#bytes.length})`,
    );
  }
}
