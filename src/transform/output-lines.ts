import { type BatchDependence, independence } from './batch-dependence.ts';

/** Place of all answers together. */
export const ALL = -1;

/**
 * A reading of answers that SageMaker has joined with line breaks: a line each, or JSON over several lines, as TensorFlow
 * Serving indents it.
 */
export class OutputLines {
  readonly #bytes: Uint8Array;
  readonly #lines: readonly string[];
  /** Each was a request of its own, or one of many that the pipeline asks for. */
  readonly dependence: BatchDependence = independence();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // An answer may end with a line break itself, which the next one follows.
    const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString()
      .split('\n')
      .filter((line) => line.trim() !== '');
    this.#lines = /^[{[]\s*$/.test(lines[0] ?? '') ? documentsOf(lines) : lines;
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

/** Indented JSON documents, each closing with a bracket at the start of a line; empty if the last is open. */
function documentsOf(lines: readonly string[]): string[] {
  const documents: string[] = [];
  let open: string[] = [];
  for (const line of lines) {
    open.push(line);
    if (!/^[}\]]/.test(line)) continue;
    documents.push(open.join('\n'));
    open = [];
  }
  return open.length === 0 ? documents : [];
}
