import { constants, zstdCompressSync } from 'node:zlib';
import type { ColumnChunk, PageHeader, ParquetType } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { compareByteOrder } from '../drop/byte-order.ts';

/** A shorter page stays as it is: setting Zstandard up takes longer than writing so few bytes. */
const LEAST_COMPRESSED = 100;

/**
 * One column of a row group, encoded. hyparquet-writer looks at each value many times to find out what suits it; of our
 * columns that is known, so only its headers and its packing of small numbers are used.
 */
export interface ParquetColumn {
  readonly type: ParquetType;
  readonly rows: number;
  readonly nulls: number;
  /** Which rows are not null, packed; empty where none may be. */
  readonly levels: Uint8Array;
  /** The different values, where `values` are places among them. */
  readonly dictionary?: { readonly count: number; readonly bytes: Uint8Array };
  readonly values: Uint8Array;
  readonly bounds?: { readonly min_value: string; readonly max_value: string };
}

/** Texts that all differ, none of them null, with the bounds by which readers skip whole files. */
export function keys(values: readonly string[]): ParquetColumn {
  let [least = ''] = values;
  let greatest = least;
  for (const value of values) {
    // Nearly always: keys come in their order.
    if (compareByteOrder(value, greatest) > 0) greatest = value;
    else if (compareByteOrder(value, least) < 0) least = value;
  }
  const bounds = { min_value: least, max_value: greatest };
  return { type: 'BYTE_ARRAY', ...required(values), values: textBytes(values), bounds };
}

/** Texts that mostly differ. */
export function texts(values: readonly (string | null)[]): ParquetColumn {
  return {
    type: 'BYTE_ARRAY',
    ...optional(values),
    values: textBytes(values.filter((value) => value !== null)),
  };
}

/** Texts that come again and again: each is written once. */
export function repeatedTexts(values: readonly (string | null)[]): ParquetColumn {
  const places = new Map<string, number>();
  const found: number[] = [];
  for (const value of values) {
    if (value === null) continue;
    const place = places.get(value) ?? places.size;
    if (place === places.size) places.set(value, place);
    found.push(place);
  }
  const column = { type: 'BYTE_ARRAY', ...optional(values) } as const;
  if (places.size === 0) return { ...column, values: new Uint8Array() };
  const writer = new ByteWriter();
  const width = Math.ceil(Math.log2(places.size));
  writer.appendUint8(width);
  writeRleBitPackedHybrid(writer, found, width);
  const dictionary = { count: places.size, bytes: textBytes([...places.keys()]) };
  return { ...column, dictionary, values: writer.getBytes() };
}

/** Whole numbers of 32 bits. */
export function integers(values: readonly number[]): ParquetColumn {
  return { type: 'INT32', ...required(values), values: new Uint8Array(Int32Array.from(values).buffer) };
}

export function doubles(values: readonly (number | null)[]): ParquetColumn {
  const known = Float64Array.from(values.filter((value) => value !== null));
  return { type: 'DOUBLE', ...optional(values), values: new Uint8Array(known.buffer) };
}

export function booleans(values: readonly (boolean | null)[]): ParquetColumn {
  const known = values.filter((value) => value !== null);
  const bits = new Uint8Array(Math.ceil(known.length / 8));
  for (let at = 0; at < known.length; at++)
    if (known[at] === true) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return { type: 'BOOLEAN', ...optional(values), values: bits };
}

/** Writes the pages of a column and tells what the footer must say of them. */
export function writeColumn(writer: ByteWriter, name: string, column: ParquetColumn): ColumnChunk {
  const { type, rows, nulls, levels, dictionary, values, bounds } = column;
  const start = writer.offset;
  let unpacked = 0;
  const put = (header: PageHeader, ...parts: readonly Uint8Array[]): void => {
    const at = writer.offset;
    writePageHeader(writer, header);
    unpacked += writer.offset - at + header.uncompressed_page_size;
    for (const part of parts) writer.appendBytes(part);
  };
  if (dictionary !== undefined) {
    const packed = compress(dictionary.bytes);
    put(
      {
        type: 'DICTIONARY_PAGE',
        uncompressed_page_size: dictionary.bytes.length,
        compressed_page_size: packed.length,
        dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
      },
      packed,
    );
  }
  const data = writer.offset;
  const encoding = dictionary === undefined ? 'PLAIN' : 'RLE_DICTIONARY';
  const isCompressed = values.length >= LEAST_COMPRESSED;
  const packed = isCompressed ? compress(values) : values;
  put(
    {
      type: 'DATA_PAGE_V2',
      uncompressed_page_size: levels.length + values.length,
      compressed_page_size: levels.length + packed.length,
      data_page_header_v2: {
        num_values: rows,
        num_nulls: nulls,
        num_rows: rows,
        encoding,
        definition_levels_byte_length: levels.length,
        repetition_levels_byte_length: 0,
        is_compressed: isCompressed,
      },
    },
    levels,
    packed,
  );
  return {
    file_offset: BigInt(start),
    meta_data: {
      type,
      encodings: dictionary === undefined ? ['PLAIN'] : ['PLAIN', encoding],
      path_in_schema: [name],
      codec: 'ZSTD',
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(unpacked),
      data_page_offset: BigInt(data),
      ...(dictionary && { dictionary_page_offset: BigInt(start) }),
      ...(bounds && { statistics: { ...bounds, null_count: 0n } }),
    },
  };
}

function compress(bytes: Uint8Array): Uint8Array {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } });
}

function required({ length }: readonly unknown[]): Pick<ParquetColumn, 'rows' | 'nulls' | 'levels'> {
  return { rows: length, nulls: 0, levels: new Uint8Array() };
}

function optional(values: readonly unknown[]): Pick<ParquetColumn, 'rows' | 'nulls' | 'levels'> {
  const levels = new Uint8Array(values.length);
  let nulls = 0;
  for (let at = 0; at < values.length; at++) {
    if (values[at] === null) nulls++;
    else levels[at] = 1;
  }
  const writer = new ByteWriter();
  writeRleBitPackedHybrid(writer, levels, 1);
  return { rows: values.length, nulls, levels: writer.getBytes() };
}

/** Each with its length in bytes before it. */
function textBytes(values: readonly string[]): Uint8Array {
  const most = values.reduce((sum, value) => sum + 4 + 3 * value.length, 0);
  const bytes = Buffer.allocUnsafe(most);
  let at = 0;
  for (const value of values) {
    const length = bytes.write(value, at + 4);
    bytes.writeUInt32LE(length, at);
    at += 4 + length;
  }
  return bytes.subarray(0, at);
}
