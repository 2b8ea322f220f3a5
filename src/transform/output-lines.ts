import { type BatchDependence, independence } from './batch-dependence.ts';

/** Place of all answers together. */
export const ALL = -1;

/** A reading of answers that SageMaker has joined with line breaks: one line each, if no answer has a line break of its own. */
export class OutputLines {
  readonly #bytes: Uint8Array;
  readonly #lines: readonly string[];
  /** Each was a request of its own, or one of many that the pipeline asks for. */
  readonly dependence: BatchDependence = independence();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // An answer may end with a line break itself, which the next one follows.
    this.#lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
  }

  get count(): number {
    return this.#lines.length;
  }

  /** The answer at a place. */
  answer(index: number): Uint8Array | undefined {
    const line = this.#lines[index];
    return index === ALL ? this.#bytes : line === undefined ? undefined : Buffer.from(line);
  }

  /** Nothing: the log has the model's words about inputs without an answer. */
  message(): string {
    return '';
  }
}
