import { constants, zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, ParquetType } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';

/** A shorter page stays as it is: setting Zstandard up takes longer than writing so few bytes. */
const LEAST_COMPRESSED = 100;

/** The values of one type, as Parquet's PLAIN encoding has them. */
export interface PlainValues<T> {
  readonly type: ParquetType;
  add(value: T): void;
  finish(): Uint8Array;
}

/** Each text with its length in bytes before it. */
export class Texts implements PlainValues<string> {
  readonly type = 'BYTE_ARRAY';
  #bytes = Buffer.allocUnsafe(4096);
  #length = 0;

  add(value: string): void {
    const most = this.#length + 4 + 3 * value.length;
    if (most > this.#bytes.length) this.#grow(2 * most);
    const bytes = this.#bytes;
    const start = this.#length + 4;
    const length = writeShort(bytes, start, value) ?? bytes.write(value, start);
    bytes.writeUInt32LE(length, this.#length);
    this.#length = start + length;
  }

  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** A call into Node takes longer than writing so many letters; the names of classes are rarely longer. */
const MOST_SHORT = 24;

/** Writes a short text of ASCII; undefined where it is another one. */
function writeShort(bytes: Uint8Array, start: number, value: string): number | undefined {
  if (value.length > MOST_SHORT) return undefined;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    if (unit > 0x7f) return undefined;
    bytes[start + at] = unit;
  }
  return value.length;
}

/** Numbers of one width, as a typed array lays them out. */
export class Numbers implements PlainValues<number> {
  readonly type: ParquetType;
  readonly #layout: Int32ArrayConstructor | Float64ArrayConstructor;
  readonly #values: number[] = [];

  constructor(type: 'INT32' | 'DOUBLE') {
    this.type = type;
    this.#layout = type === 'INT32' ? Int32Array : Float64Array;
  }

  add(value: number): void {
    this.#values.push(value);
  }

  finish(): Uint8Array {
    return new Uint8Array(new this.#layout(this.#values).buffer);
  }
}

/** A bit each, the first one lowest. */
export class Booleans implements PlainValues<boolean> {
  readonly type = 'BOOLEAN';
  readonly #bytes: number[] = [];
  #length = 0;

  add(value: boolean): void {
    const bit = this.#length++ & 7;
    if (bit === 0) this.#bytes.push(0);
    if (value) this.#bytes[this.#bytes.length - 1] = (this.#bytes.at(-1) ?? 0) | (1 << bit);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/**
 * One column of a row group. hyparquet-writer would look at each value many times to find out what suits it; what our
 * few columns need is known.
 */
export class ParquetColumn<T> {
  readonly #name: string;
  readonly #values: PlainValues<T>;
  /** Which rows are not null; undefined where none may be. */
  readonly #levels: Booleans | undefined;
  #rows = 0;
  #nulls = 0;

  constructor(name: string, values: PlainValues<T>, { nullable }: { readonly nullable: boolean }) {
    this.#name = name;
    this.#values = values;
    this.#levels = nullable ? new Booleans() : undefined;
  }

  add(value: T | null): void {
    this.#rows++;
    this.#levels?.add(value !== null);
    if (value === null) this.#nulls++;
    else this.#values.add(value);
  }

  /** Writes the column's page and tells what the file's footer must say of it. */
  write(
    writer: ByteWriter,
    bounds?: { readonly min_value: string; readonly max_value: string },
  ): ColumnChunk {
    const start = writer.offset;
    const levels = this.#packedLevels();
    const values = this.#values.finish();
    const compressed = values.length >= LEAST_COMPRESSED;
    const packed = compressed
      ? zstdCompressSync(values, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
      : values;
    writePageHeader(writer, {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels.length + values.length,
      compressed_page_size: levels.length + packed.length,
      data_page_header_v2: {
        num_values: this.#rows,
        num_nulls: this.#nulls,
        num_rows: this.#rows,
        encoding: 'PLAIN',
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: compressed,
      },
    });
    const header = writer.offset - start;
    writer.appendBytes(levels);
    writer.appendBytes(packed);
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: this.#values.type,
        encodings: ['PLAIN'],
        path_in_schema: [this.#name],
        codec: 'ZSTD',
        num_values: BigInt(this.#rows),
        total_compressed_size: BigInt(writer.offset - start),
        total_uncompressed_size: BigInt(header + levels.length + values.length),
        data_page_offset: BigInt(start),
        ...(bounds && { statistics: { ...bounds, null_count: 0n } }),
      },
    };
  }

  /** As one run of Parquet's RLE: so many times the same, or so many groups of eight bits. */
  #packedLevels(): Uint8Array {
    const writer = new ByteWriter();
    if (this.#levels === undefined) return writer.getBytes();
    const all = this.#nulls === 0;
    if (all || this.#nulls === this.#rows) {
      writer.appendVarInt(this.#rows << 1);
      writer.appendUint8(all ? 1 : 0);
    } else {
      const bits = this.#levels.finish();
      writer.appendVarInt((bits.length << 1) | 1);
      writer.appendBytes(bits);
    }
    return writer.getBytes();
  }
}
