import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type RowGroup,
  type SchemaTree,
} from 'hyparquet';
import { inOrder } from '../concurrency/in-order.ts';
import { ROWS } from '../file-kind/rows.ts';
import { asStored, unreadType, valueOf, ValueUnreadable } from './parquet-value.ts';
import { TableRefused } from './table-columns.ts';
import type { Value } from './value.ts';

/** A file that can be read by ranges of bytes. */
export interface FileRanges {
  readonly sizeBytes: number;
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** A Parquet file: the titles of its columns, and its rows. */
export interface ParquetTable {
  readonly titles: readonly string[];
  /** Values of the columns at these places, or the row's defect, from a row on. */
  readonly rows: (
    places: readonly number[],
    from?: number,
  ) => AsyncGenerator<readonly (readonly Value[] | string)[]>;
}

/** Memory holds so many cells, and so many bytes of them; a row group with more is read in slices. */
const SLICE_CELLS = 3_200_000;
const SLICE_BYTES = 64_000_000;
const BATCH_ROWS = 1_000;
const READS_AT_ONCE = 4;

/** Codecs of Node itself; Snappy comes with hyparquet. */
const compressors: Compressors = {
  GZIP: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) }),
  BROTLI: (bytes, maxOutputLength) =>
    brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) }),
  ZSTD: (bytes, maxOutputLength) =>
    zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, maxOutputLength) }),
};
const CODECS: ReadonlySet<string | undefined> = new Set([
  'UNCOMPRESSED',
  'SNAPPY',
  ...Object.keys(compressors),
]);
/** Texts that are UTF-8, and other values as they are stored, so that they keep their digits. */
const parsers = {
  timestampFromNanoseconds: (nanos: bigint) => nanos,
  stringFromBytes: textOf,
  jsonFromBytes: textOf,
};

function textOf(bytes: Uint8Array | undefined): string | Uint8Array | undefined {
  if (bytes === undefined || !isUtf8(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

/**
 * Opens a Parquet file by its footer.
 *
 * @param sliceCells cap on the cells that memory holds
 * @throws {TableRefused}
 */
export async function openParquet(ranges: FileRanges, sliceCells = SLICE_CELLS): Promise<ParquetTable> {
  const { file, unlessBroken } = watched(ranges);
  const found = await unlessBroken(async () => {
    const metadata = await parquetMetadataAsync(file, { parsers, geoparquet: false });
    return { metadata, columns: parquetSchema(metadata).children };
  });
  if ('damage' in found)
    throw new TableRefused(
      `is a Parquet table without a footer that can be read (${found.damage}): take the whole file`,
    );
  const { metadata, columns } = found;
  for (const { meta_data: chunk, crypto_metadata: key } of metadata.row_groups.flatMap(
    (group) => group.columns,
  )) {
    const { what, remedy } = ROWS['parquet-encrypted'];
    if (key !== undefined || chunk === undefined) throw new TableRefused(`is ${what}: ${remedy}`);
    if (!CODECS.has(chunk.codec))
      throw new TableRefused(
        `is compressed with ${chunk.codec}: write it with compression="zstd" or "snappy"`,
      );
  }
  const stored = { ...metadata, schema: metadata.schema.map(asStored) };
  async function* rows(places: readonly number[], from = 0) {
    const asked = places.map((place) => columns[place]).filter((column) => column !== undefined);
    for (const column of asked) {
      const type = unreadType(column);
      if (type !== undefined)
        throw new TableRefused(
          `has the column ${JSON.stringify(column.element.name)} of type ${type}: write it as numbers or texts`,
        );
    }
    const toValues = asked.map((column) => ({ title: column.element.name, toValue: valueOf(column) }));
    // Rows of the group that were read before.
    let before = from;
    for (const group of stored.row_groups) {
      const count = Number(group.num_rows);
      for (const { start, end } of slicesOf(group, asked, sliceCells)) {
        if (end <= before) continue;
        const read = await unlessBroken(async () => ({
          columns: await readSlice({ file, metadata: { ...stored, row_groups: [group] }, start, end }, asked),
        }));
        for (let at = Math.max(0, before - start); at < end - start; at += BATCH_ROWS)
          yield Array.from({ length: Math.min(BATCH_ROWS, end - start - at) }, (_, place) =>
            'damage' in read
              ? `lies in a part of the file that is damaged (${read.damage})`
              : valuesOf(read.columns, at + place, toValues),
          );
      }
      before = Math.max(0, before - count);
    }
  }
  return { titles: columns.map(({ element }) => element.name), rows };
}

/** Ranges of the rows of a group that memory holds. */
function* slicesOf(
  group: RowGroup,
  columns: readonly SchemaTree[],
  sliceCells: number,
): Generator<{ readonly start: number; readonly end: number }> {
  const names = new Set(columns.map(({ element }) => element.name));
  const count = Number(group.num_rows);
  const bytes = group.columns
    .filter(({ meta_data: chunk }) => names.has(chunk?.path_in_schema[0] ?? ''))
    .reduce((sum, { meta_data: chunk }) => sum + Number(chunk?.total_uncompressed_size ?? 0), 0);
  const most = Math.min(sliceCells / columns.length, (SLICE_BYTES * count) / Math.max(1, bytes));
  const step = Math.max(1, Math.floor(most));
  for (let start = 0; start < count; start += step) yield { start, end: Math.min(count, start + step) };
}

/** Columns of some rows of the only row group. */
async function readSlice(
  {
    file,
    metadata,
    start,
    end,
  }: {
    readonly file: AsyncBuffer;
    readonly metadata: FileMetaData;
    readonly start: number;
    readonly end: number;
  },
  columns: readonly SchemaTree[],
): Promise<readonly ArrayLike<unknown>[]> {
  const read: ArrayLike<unknown>[] = [];
  const values = inOrder(
    columns,
    READS_AT_ONCE,
    async ({ element: { name: column } }): Promise<ArrayLike<unknown>> => {
      const range = { rowStart: start, rowEnd: end };
      const scan = await parquetScan({
        file,
        metadata,
        compressors,
        parsers,
        utf8: false,
        ...range,
        columns: [column],
      });
      return scan.readColumn({ column, ...range });
    },
  );
  for await (const [{ element }, found] of values) {
    if (found.length !== end - start)
      throw new RangeError(`${JSON.stringify(element.name)} has ${found.length} of ${end - start} values`);
    read.push(found);
  }
  return read;
}

function valuesOf(
  columns: readonly ArrayLike<unknown>[],
  row: number,
  toValues: readonly { readonly title: string; readonly toValue: (value: unknown) => Value }[],
): readonly Value[] | string {
  const values: Value[] = [];
  for (const [at, { title, toValue }] of toValues.entries())
    try {
      values.push(toValue(columns[at]?.[row]));
    } catch (error) {
      if (!(error instanceof ValueUnreadable)) throw error;
      return `has ${error.message} in ${JSON.stringify(title)}`;
    }
  return values;
}

/** The file for hyparquet, and what tells damage of the file from a connection that broke, which says nothing about it. */
function watched({ sizeBytes, read }: FileRanges) {
  const broken: unknown[] = [];
  const file: AsyncBuffer = {
    byteLength: sizeBytes,
    async slice(start, end = sizeBytes) {
      try {
        const { buffer, byteOffset, byteLength } = await read(start, end);
        const own = buffer.slice(byteOffset, byteOffset + byteLength);
        return own instanceof ArrayBuffer ? own : Uint8Array.from(new Uint8Array(own)).buffer;
      } catch (error) {
        broken.push(error);
        throw error;
      }
    },
  };
  const unlessBroken = async <T>(reading: () => Promise<T>): Promise<T | { readonly damage: string }> => {
    try {
      return await reading();
    } catch (error) {
      if (broken.length > 0 || !(error instanceof Error)) throw broken[0] ?? error;
      return { damage: error.message };
    }
  };
  return { file, unlessBroken };
}
