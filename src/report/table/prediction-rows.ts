import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { FilePlace } from '../../input/file-place.ts';

/** One record of a run, in the form that Athena, DuckDB and pandas read. */
export interface PredictionRow extends FilePlace {
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

/** Column of a dimension of the slices. */
export function sliceColumn(dimension: string): string {
  return `slice_${dimension}`;
}

/** Rows of a group, which a reader holds as objects; a shard of images is one group. */
const GROUP_ROWS = 20_000;
/** Characters of the predictions of a group, which are answers of up to 64 kB if nobody judges them. */
const GROUP_CHARACTERS = 16_000_000;

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const SCHEMA = [
  { name: 'key', ...text, repetition_type: 'REQUIRED' },
  { name: 'record_index', type: 'INT32', repetition_type: 'REQUIRED' },
  { name: 'line', type: 'INT32', repetition_type: 'OPTIONAL' },
  { name: 'id', ...text, repetition_type: 'OPTIONAL' },
  { name: 'truth', ...text, repetition_type: 'OPTIONAL' },
  { name: 'prediction', ...text, repetition_type: 'OPTIONAL' },
  { name: 'score', type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  { name: 'top_k', ...text, repetition_type: 'OPTIONAL' },
  { name: 'correct', type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
  { name: 'error', ...text, repetition_type: 'OPTIONAL' },
] as const;

type Cells = (string | number | boolean | Uint8Array | null)[];

const noCells = (): Record<(typeof SCHEMA)[number]['name'], Cells> => ({
  key: [],
  record_index: [],
  line: [],
  id: [],
  truth: [],
  prediction: [],
  score: [],
  top_k: [],
  correct: [],
  error: [],
});

const compressors = {
  ZSTD: (bytes: Uint8Array) =>
    zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
};

/** Texts as bytes: the writer would allocate a buffer for each, which takes several times as long. */
const bytesOf = (texts: Cells): Cells =>
  texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text));

/** The rows of one shard as a Parquet file. Memory holds the columns of one row group, and the file. */
export class PredictionRows {
  readonly #writer = new ByteWriter();
  readonly #file: ParquetWriter;
  readonly #slices: readonly string[];
  #cells = noCells();
  #characters = 0;
  #sliceCells: Cells[];

  /** @param dimensions names of the slices, each a column more */
  constructor(dimensions: readonly string[] = []) {
    this.#slices = dimensions.map(sliceColumn);
    this.#sliceCells = dimensions.map(() => []);
    const columns = [
      ...SCHEMA,
      ...this.#slices.map((name) => ({ name, ...text, repetition_type: 'OPTIONAL' as const })),
    ];
    this.#file = new ParquetWriter({
      writer: this.#writer,
      schema: [{ name: 'root', num_children: columns.length }, ...columns],
      codec: 'ZSTD',
      compressors,
      // Keys of a run share a prefix, so truncated bounds would not let readers skip anything.
      statisticsTruncateLength: Infinity,
    });
  }

  /** @param values of the record's slices, in the order of the dimensions */
  add(row: PredictionRow, values: readonly (string | null)[] = []): void {
    const cells = this.#cells;
    cells.key.push(row.key);
    cells.record_index.push(row.recordIndex);
    cells.line.push(row.line ?? null);
    cells.id.push(row.id ?? null);
    cells.truth.push(row.truth);
    cells.prediction.push(row.prediction);
    cells.score.push(row.score);
    cells.top_k.push(row.topK);
    cells.correct.push(row.correct);
    cells.error.push(row.error);
    for (const [at, own] of this.#sliceCells.entries()) own.push(values[at] ?? null);
    this.#characters += row.prediction?.length ?? 0;
    if (cells.key.length === GROUP_ROWS || this.#characters > GROUP_CHARACTERS) this.#writeGroup();
  }

  finish(): Uint8Array {
    if (this.#cells.key.length > 0) this.#writeGroup();
    void this.#file.finish();
    return this.#writer.getBytes();
  }

  #writeGroup(): void {
    const cells = this.#cells;
    const column = (name: string, data: Cells) => ({
      name,
      data,
      // Readers skip whole files by the range of their keys; bounds of other columns would be useless.
      statistics: name === 'key',
      offsetIndex: false,
    });
    void this.#file.write({
      columnData: [
        ...Object.entries({ ...cells, key: bytesOf(cells.key), top_k: bytesOf(cells.top_k) }).map(
          ([name, data]) => column(name, data),
        ),
        ...this.#slices.map((name, at) => column(name, this.#sliceCells[at] ?? [])),
      ],
      rowGroupSize: GROUP_ROWS,
    });
    this.#cells = noCells();
    this.#characters = 0;
    this.#sliceCells = this.#slices.map(() => []);
  }
}
