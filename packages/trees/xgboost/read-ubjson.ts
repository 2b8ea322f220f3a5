import { Unconvertible } from '../trees-refused.ts';

/** A value of UBJSON. Integers of 64 bits are read as numbers, since no model has one above 2^53. */
export type Ubjson =
  null | boolean | number | string | readonly Ubjson[] | { readonly [name: string]: Ubjson };

/** Readers of numbers by their marker, with their sizes in bytes. */
const NUMBERS: ReadonlyMap<string, readonly [size: number, read: (view: DataView, at: number) => number]> =
  new Map([
    ['i', [1, (view, at) => view.getInt8(at)]],
    ['U', [1, (view, at) => view.getUint8(at)]],
    ['I', [2, (view, at) => view.getInt16(at)]],
    ['l', [4, (view, at) => view.getInt32(at)]],
    ['L', [8, (view, at) => Number(view.getBigInt64(at))]],
    ['d', [4, (view, at) => view.getFloat32(at)]],
    ['D', [8, (view, at) => view.getFloat64(at)]],
  ]);

const MAX_DEPTH = 32;
/** A tree has some 20 lists and objects in 600 bytes; more would take more memory than the file is large. */
const BYTES_A_CONTAINER = 8;

/**
 * Reads a document of https://ubjson.org with the types that XGBoost writes.
 *
 * @throws {Unconvertible} if it stops within a value, nests too deeply or has an unknown marker
 */
export function readUbjson(bytes: Uint8Array): Ubjson {
  return new UbjsonReader(bytes).value();
}

class UbjsonReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #at = 0;
  #containers = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  value(marker = this.#marker(), depth = 0): Ubjson {
    switch (marker) {
      case 'Z':
        return null;
      case 'T':
        return true;
      case 'F':
        return false;
      case 'S':
        return this.#text();
      case '[':
        return this.#list(depth + 1);
      case '{':
        return this.#fields(depth + 1);
      default:
        return this.#number(marker);
    }
  }

  #damaged(reason: string): never {
    throw new Unconvertible(
      `is damaged: ${reason} at byte ${this.#at}. Save it again with booster.save_model("model.ubj")`,
    );
  }

  #marker(): string {
    return this.#bytes.toString('latin1', this.#at, this.#skip(1));
  }

  /** Moves forward by a number of bytes. */
  #skip(size: number): number {
    if (this.#at + size > this.#bytes.length) this.#damaged('it stops within a value');
    this.#at += size;
    return this.#at;
  }

  #number(marker: string): number {
    const [size, read] =
      NUMBERS.get(marker) ?? this.#damaged(`it has the unknown marker ${JSON.stringify(marker)}`);
    return read(this.#view, this.#skip(size) - size);
  }

  #length(): number {
    const length = this.#number(this.#marker());
    if (length < 0 || length > this.#bytes.length) this.#damaged(`it has the length ${length}`);
    return length;
  }

  #text(): string {
    const length = this.#length();
    return this.#bytes.toString('utf8', this.#at, this.#skip(length));
  }

  #isNext(marker: string): boolean {
    if (this.#bytes[this.#at] !== marker.charCodeAt(0)) return false;
    this.#at += 1;
    return true;
  }

  /** Type and count of a container, if it begins with them. */
  #header(depth: number): { readonly type: string | undefined; readonly count: number | undefined } {
    this.#containers += 1;
    if (depth > MAX_DEPTH) this.#damaged(`it nests deeper than ${MAX_DEPTH}`);
    if (this.#containers > 64 + this.#bytes.length / BYTES_A_CONTAINER)
      this.#damaged('it has too many lists');
    const type = this.#isNext('$') ? this.#marker() : undefined;
    const count = this.#isNext('#') ? this.#length() : undefined;
    // A type without bytes could be repeated for ever.
    if (type !== undefined && (count === undefined || !NUMBERS.has(type)))
      this.#damaged(`it has a list of the type ${JSON.stringify(type)}`);
    return { type, count };
  }

  #list(depth: number): readonly Ubjson[] {
    const { type, count } = this.#header(depth);
    const items: Ubjson[] = [];
    for (let left = count ?? Infinity; left > 0 && (count !== undefined || !this.#isNext(']')); left--)
      items.push(this.value(type, depth));
    return items;
  }

  #fields(depth: number): { readonly [name: string]: Ubjson } {
    const { type, count } = this.#header(depth);
    const fields: [string, Ubjson][] = [];
    for (let left = count ?? Infinity; left > 0 && (count !== undefined || !this.#isNext('}')); left--)
      fields.push([this.#text(), this.value(type, depth)]);
    return Object.fromEntries(fields);
  }
}
