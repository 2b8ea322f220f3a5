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

/** The rows of one shard, column by column: as objects they would keep the garbage collector busy. */
export class PredictionRows {
  readonly #keys: string[] = [];
  readonly #recordIndexes: number[] = [];
  readonly #truths: (string | null)[] = [];
  readonly #predictions: (string | null)[] = [];
  readonly #scores: (number | null)[] = [];
  readonly #topKs: (string | null)[] = [];
  readonly #corrects: (boolean | null)[] = [];
  readonly #errors: (string | null)[] = [];

  add({ key, recordIndex, truth, prediction, score, topK, correct, error }: PredictionRow): void {
    this.#keys.push(key);
    this.#recordIndexes.push(recordIndex);
    this.#truths.push(truth);
    this.#predictions.push(prediction);
    this.#scores.push(score);
    this.#topKs.push(topK);
    this.#corrects.push(correct);
    this.#errors.push(error);
  }

  *[Symbol.iterator](): Generator<PredictionRow> {
    for (const [at, key] of this.#keys.entries()) {
      yield {
        key,
        recordIndex: this.#recordIndexes[at] ?? 0,
        truth: this.#truths[at] ?? null,
        prediction: this.#predictions[at] ?? null,
        score: this.#scores[at] ?? null,
        topK: this.#topKs[at] ?? null,
        correct: this.#corrects[at] ?? null,
        error: this.#errors[at] ?? null,
      };
    }
  }

  toParquet(): Uint8Array {
    const writer = new ByteWriter();
    // Keys of a run begin alike, so that bounds cut short would tell nothing.
    const file = new ParquetWriter({ writer, schema: [...SCHEMA], statisticsTruncateLength: Infinity });
    for (let from = 0; from < this.#keys.length; from += GROUP_ROWS) {
      const start = writer.offset;
      const group = <T>(values: readonly T[]): readonly T[] => values.slice(from, from + GROUP_ROWS);
      const columns = [
        writeColumn(writer, 'key', keys(group(this.#keys))),
        writeColumn(writer, 'record_index', integers(group(this.#recordIndexes))),
        writeColumn(writer, 'truth', repeatedTexts(group(this.#truths))),
        writeColumn(writer, 'prediction', repeatedTexts(group(this.#predictions))),
        writeColumn(writer, 'score', doubles(group(this.#scores))),
        writeColumn(writer, 'top_k', texts(group(this.#topKs))),
        writeColumn(writer, 'correct', booleans(group(this.#corrects))),
        writeColumn(writer, 'error', repeatedTexts(group(this.#errors))),
      ];
      const sizes = columns.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
      const rows = BigInt(Math.min(GROUP_ROWS, this.#keys.length - from));
      file.num_rows += rows;
      file.row_groups.push({
        columns,
        num_rows: rows,
        total_byte_size: sizes.reduce((sum, size) => sum + size),
        total_compressed_size: BigInt(writer.offset - start),
      });
    }
    void file.finish();
    return writer.getBytes();
  }
}
