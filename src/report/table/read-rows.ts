import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import * as z from 'zod';
import type { FilePlace } from '../../input/file-place.ts';

const text = z.string().nullable();
/** A score; logits may overflow to infinity. */
const score = z.union([z.number(), z.literal([Infinity, -Infinity])]).nullable();
const Row = z.object({
  key: z.string(),
  record_index: z.number(),
  line: z.number().nullable(),
  id: text,
  truth: text,
  prediction: text,
  score,
  top_k: text,
  correct: z.boolean().nullable(),
  error: text,
});
/** A row of `rows/<shard>.parquet`, by the names of its columns. */
export type StoredRow = z.infer<typeof Row>;

/** The record of a row. */
export function placeOfRow({ key, record_index: recordIndex, line, id }: StoredRow): Required<FilePlace> {
  return { key, recordIndex, line: line ?? undefined, id: id ?? undefined };
}

const Rows = z.array(Row);

const compressors = { ZSTD: (bytes: Uint8Array) => zstdDecompressSync(bytes) };

/** Reads a shard's rows by row group, so that memory holds one group as objects. */
export async function* readRows(parquet: Uint8Array): AsyncGenerator<StoredRow[]> {
  const file = new Uint8Array(parquet).buffer;
  const { row_groups: groups } = parquetMetadata(file);
  let rowStart = 0;
  for (const group of groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    yield Rows.parse(await parquetReadObjects({ file, rowStart, rowEnd, compressors }));
    rowStart = rowEnd;
  }
}
