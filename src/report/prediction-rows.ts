import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { booleans, doubles, integers, keys, repeatedTexts, texts, writeColumn } from './parquet-column.ts';

/** One record of a run, as Athena, DuckDB and pandas read it. */
export interface PredictionRow {
  readonly key: string;
  readonly recordIndex: number;
  readonly truth: string | null;
  readonly prediction: string | null;
  /** Winner's score as the model gave it. */
  readonly score: number | null;
  /** Names of the best classes, best first, as a JSON list. */
  readonly topK: string | null;
  /** Null where truth or prediction is missing. */
  readonly correct: boolean | null;
  readonly error: string | null;
}

/** A reader of the rows holds one group as objects; a shard of images is one group. */
const GROUP_ROWS = 20_000;

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const SCHEMA = [
  { name: 'root', num_children: 8 },
  { name: 'key', ...text, repetition_type: 'REQUIRED' },
  { name: 'record_index', type: 'INT32', repetition_type: 'REQUIRED' },
  { name: 'truth', ...text, repetition_type: 'OPTIONAL' },
  { name: 'prediction', ...text, repetition_type: 'OPTIONAL' },
  { name: 'score', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  { name: 'top_k', ...text, repetition_type: 'OPTIONAL' },
  { name: 'correct', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
  { name: 'error', ...text, repetition_type: 'OPTIONAL' },
] as const;

/** The rows of one shard as a Parquet file. */
export function toParquet(rows: readonly PredictionRow[]): Uint8Array {
  const writer = new ByteWriter();
  // Keys of a run begin alike, so that bounds cut short would tell nothing.
  const file = new ParquetWriter({ writer, schema: [...SCHEMA], statisticsTruncateLength: Infinity });
  for (let from = 0; from < rows.length; from += GROUP_ROWS) {
    const group = rows.slice(from, from + GROUP_ROWS);
    const start = writer.offset;
    const columns = [
      writeColumn(writer, 'key', keys(group.map((row) => row.key))),
      writeColumn(writer, 'record_index', integers(group.map((row) => row.recordIndex))),
      writeColumn(writer, 'truth', repeatedTexts(group.map((row) => row.truth))),
      writeColumn(writer, 'prediction', repeatedTexts(group.map((row) => row.prediction))),
      writeColumn(writer, 'score', doubles(group.map((row) => row.score))),
      writeColumn(writer, 'top_k', texts(group.map((row) => row.topK))),
      writeColumn(writer, 'correct', booleans(group.map((row) => row.correct))),
      writeColumn(writer, 'error', repeatedTexts(group.map((row) => row.error))),
    ];
    file.num_rows += BigInt(group.length);
    file.row_groups.push({
      columns,
      num_rows: BigInt(group.length),
      total_byte_size: columns.reduce(
        (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
        0n,
      ),
      total_compressed_size: BigInt(writer.offset - start),
    });
  }
  void file.finish();
  return writer.getBytes();
}
