import type { RowGroup as ParquetGroup } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { compareByteOrder } from '../drop/byte-order.ts';
import { Booleans, Numbers, ParquetColumn, Texts } from './parquet-column.ts';

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

/** The rows of one shard as a Parquet file, encoded as they come. */
export class PredictionRows {
  readonly #writer = new ByteWriter();
  // Keys of a run begin alike, so that bounds cut short would tell nothing.
  readonly #file = new ParquetWriter({
    writer: this.#writer,
    schema: [...SCHEMA],
    statisticsTruncateLength: Infinity,
  });
  #group = new RowGroup();

  add(row: PredictionRow): void {
    this.#group.add(row);
    if (this.#group.rows === GROUP_ROWS) this.#closeGroup();
  }

  finish(): Uint8Array {
    if (this.#group.rows > 0) this.#closeGroup();
    void this.#file.finish();
    return this.#writer.getBytes();
  }

  #closeGroup(): void {
    const group = this.#group.write(this.#writer);
    this.#file.row_groups.push(group);
    this.#file.num_rows += group.num_rows;
    this.#group = new RowGroup();
  }
}

class RowGroup {
  rows = 0;
  readonly #key = new ParquetColumn('key', new Texts(), { nullable: false });
  readonly #recordIndex = new ParquetColumn('record_index', new Numbers('INT32'), { nullable: false });
  readonly #truth = new ParquetColumn('truth', new Texts(), { nullable: true });
  readonly #prediction = new ParquetColumn('prediction', new Texts(), { nullable: true });
  readonly #score = new ParquetColumn('score', new Numbers('DOUBLE'), { nullable: true });
  readonly #topK = new ParquetColumn('top_k', new Texts(), { nullable: true });
  readonly #correct = new ParquetColumn('correct', new Booleans(), { nullable: true });
  readonly #error = new ParquetColumn('error', new Texts(), { nullable: true });
  #least = '';
  #greatest = '';

  add({ key, recordIndex, truth, prediction, score, topK, correct, error }: PredictionRow): void {
    // Keys come in their order, nearly always.
    if (this.rows === 0) this.#least = this.#greatest = key;
    else if (compareByteOrder(key, this.#greatest) > 0) this.#greatest = key;
    else if (compareByteOrder(key, this.#least) < 0) this.#least = key;
    this.rows++;
    this.#key.add(key);
    this.#recordIndex.add(recordIndex);
    this.#truth.add(truth);
    this.#prediction.add(prediction);
    this.#score.add(score);
    this.#topK.add(topK);
    this.#correct.add(correct);
    this.#error.add(error);
  }

  write(writer: ByteWriter): ParquetGroup {
    const start = writer.offset;
    const columns = [
      // Readers skip whole files by the keys in them; bounds of other columns tell nothing.
      this.#key.write(writer, { min_value: this.#least, max_value: this.#greatest }),
      this.#recordIndex.write(writer),
      this.#truth.write(writer),
      this.#prediction.write(writer),
      this.#score.write(writer),
      this.#topK.write(writer),
      this.#correct.write(writer),
      this.#error.write(writer),
    ];
    const sizes = columns.map(({ meta_data }) => meta_data?.total_uncompressed_size ?? 0n);
    return {
      columns,
      num_rows: BigInt(this.rows),
      total_byte_size: sizes.reduce((sum, size) => sum + size),
      total_compressed_size: BigInt(writer.offset - start),
    };
  }
}
