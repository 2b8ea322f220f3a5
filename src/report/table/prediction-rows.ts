import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

/** One record of a run, in the form that Athena, DuckDB and pandas read. */
export interface PredictionRow {
  readonly key: string;
  readonly recordIndex: number;
  readonly truth: string | null;
  readonly prediction: string | null;
  /** Winner's score as the model returned it. */
  readonly score: number | null;
  /** Names of the best classes, best first, as a JSON list. */
  readonly topK: string | null;
  /** Null if truth or prediction is missing. */
  readonly correct: boolean | null;
  readonly error: string | null;
}

/** Rows of a group, which a reader holds as objects; a shard of images is one group. */
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

const COLUMNS: Readonly<Record<Exclude<(typeof SCHEMA)[number]['name'], 'root'>, keyof PredictionRow>> = {
  key: 'key',
  record_index: 'recordIndex',
  truth: 'truth',
  prediction: 'prediction',
  score: 'score',
  top_k: 'topK',
  correct: 'correct',
  error: 'error',
};

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
};

/** The rows of one shard as a Parquet file. Memory holds one row group as objects, and the file. */
export class PredictionRows {
  readonly #writer = new ByteWriter();
  // Keys of a run share a prefix, so truncated bounds would not let readers skip anything.
  readonly #file = new ParquetWriter({
    writer: this.#writer,
    schema: [...SCHEMA],
    codec: 'ZSTD',
    compressors,
    statisticsTruncateLength: Infinity,
  });
  #rows: PredictionRow[] = [];

  add(row: PredictionRow): void {
    this.#rows.push(row);
    if (this.#rows.length === GROUP_ROWS) this.#writeGroup();
  }

  finish(): Uint8Array {
    if (this.#rows.length > 0) this.#writeGroup();
    void this.#file.finish();
    return this.#writer.getBytes();
  }

  #writeGroup(): void {
    const rows = this.#rows;
    void this.#file.write({
      columnData: Object.entries(COLUMNS).map(([name, field]) => ({
        name,
        data: rows.map((row) => row[field]),
        // Readers skip whole files by the range of their keys; bounds of other columns would be useless.
        statistics: name === 'key',
        offsetIndex: false,
      })),
      rowGroupSize: GROUP_ROWS,
    });
    this.#rows = [];
  }
}
