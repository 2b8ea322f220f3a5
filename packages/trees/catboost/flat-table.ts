import { Unconvertible } from '../trees-refused.ts';
import { SAVE_AGAIN } from './catboost-model.ts';

/** Bytes of a FlatBuffers file, with a check of each place, and a bound on all reading. */
class FlatBytes {
  readonly #view: DataView;
  /** Lists of a damaged file may share their bytes, so that reading all of them would never stop. */
  #left: number;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#left = 2 * bytes.length;
  }

  int32 = (at: number): number => this.#view.getInt32(this.#checked(at, 4), true);
  uint32 = (at: number): number => this.#view.getUint32(this.#checked(at, 4), true);
  int8 = (at: number): number => this.#view.getInt8(this.#checked(at, 1));
  uint16 = (at: number): number => this.#view.getUint16(this.#checked(at, 2), true);
  float32 = (at: number): number => this.#view.getFloat32(this.#checked(at, 4), true);
  float64 = (at: number): number => this.#view.getFloat64(this.#checked(at, 8), true);

  /** Place that an offset at this place leads to. */
  target = (at: number): number => at + this.uint32(at);

  /** The bytes of a list or a text. All that are taken have at most the length of the file. */
  take(at: number, size: number): Uint8Array {
    this.#left -= size;
    if (this.#left < 0)
      throw new Unconvertible(`is damaged: its lists are longer than the file: ${SAVE_AGAIN}`);
    this.#checked(at, size);
    return new Uint8Array(this.#view.buffer, this.#view.byteOffset + at, size);
  }

  #checked(at: number, size: number): number {
    if (at >= 0 && at + size <= this.#view.byteLength) return at;
    throw new Unconvertible(`is damaged: it has no ${size} bytes at byte ${at}: ${SAVE_AGAIN}`);
  }
}

/** A table of https://flatbuffers.dev/internals; fields are counted as in the schema. */
export class FlatTable {
  readonly #bytes: FlatBytes;
  readonly #at: number;

  private constructor(bytes: FlatBytes, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The outermost table. */
  static rootOf(bytes: Uint8Array): FlatTable {
    const flat = new FlatBytes(bytes);
    return new FlatTable(flat, flat.target(0));
  }

  int(field: number, otherwise: number): number {
    return this.#read(field, this.#bytes.int32) ?? otherwise;
  }

  byte(field: number): number {
    return this.#read(field, this.#bytes.int8) ?? 0;
  }

  double(field: number, otherwise: number): number {
    return this.#read(field, this.#bytes.float64) ?? otherwise;
  }

  text(field: number): string {
    const at = this.#read(field, this.#bytes.target);
    if (at === undefined) return '';
    return Buffer.from(this.#bytes.take(at + 4, this.#bytes.uint32(at))).toString();
  }

  table(field: number): FlatTable | undefined {
    const at = this.#read(field, this.#bytes.target);
    return at === undefined ? undefined : new FlatTable(this.#bytes, at);
  }

  tables(field: number): readonly FlatTable[] {
    return this.#list(field, 4, (at) => new FlatTable(this.#bytes, this.#bytes.target(at)));
  }

  ints(field: number): readonly number[] {
    return this.#list(field, 4, this.#bytes.int32);
  }

  floats(field: number): readonly number[] {
    return this.#list(field, 4, this.#bytes.float32);
  }

  doubles(field: number): readonly number[] {
    return this.#list(field, 8, this.#bytes.float64);
  }

  /** Structures of two uint16. */
  pairs(field: number): readonly (readonly [number, number])[] {
    return this.#list(field, 4, (at) => [this.#bytes.uint16(at), this.#bytes.uint16(at + 2)]);
  }

  #read(field: number, read: (at: number) => number): number | undefined {
    const fields = this.#at - this.#bytes.int32(this.#at);
    const place = 4 + 2 * field;
    if (place >= this.#bytes.uint16(fields)) return undefined;
    const offset = this.#bytes.uint16(fields + place);
    return offset === 0 ? undefined : read(this.#at + offset);
  }

  #list<T>(field: number, size: number, read: (at: number) => T): readonly T[] {
    const at = this.#read(field, this.#bytes.target);
    if (at === undefined) return [];
    const length = this.#bytes.uint32(at);
    this.#bytes.take(at + 4, length * size);
    return Array.from({ length }, (_, item) => read(at + 4 + item * size));
  }
}
