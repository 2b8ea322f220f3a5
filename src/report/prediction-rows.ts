import { constants, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';

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
const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
};

/** The rows of one shard as a Parquet file. */
export function toParquet(rows: readonly PredictionRow[]): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      codec: 'ZSTD',
      compressors,
      rowGroupSize: GROUP_ROWS,
      // Readers skip whole files by the keys in them; least and greatest values of other columns tell nothing.
      statistics: false,
      columnData: [
        {
          name: 'key',
          data: rows.map((row) => row.key),
          type: 'STRING',
          nullable: false,
          encoding: 'PLAIN',
          statistics: true,
        },
        { name: 'record_index', data: rows.map((row) => row.recordIndex), type: 'INT32', nullable: false },
        { name: 'truth', data: rows.map((row) => row.truth), type: 'STRING', nullable: true },
        { name: 'prediction', data: rows.map((row) => row.prediction), type: 'STRING', nullable: true },
        { name: 'score', data: rows.map((row) => row.score), type: 'DOUBLE', nullable: true },
        { name: 'top_k', data: rows.map((row) => row.topK), type: 'STRING', nullable: true },
        { name: 'correct', data: rows.map((row) => row.correct), type: 'BOOLEAN', nullable: true },
        { name: 'error', data: rows.map((row) => row.error), type: 'STRING', nullable: true },
      ],
    }),
  );
}
