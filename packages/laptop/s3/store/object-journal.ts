import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { readLines } from '../../storage/read-lines.ts';
import { JournalEntry } from './journal-entry.ts';

const FILE = /^metadata-(\d{8})\.jsonl$/;
const WRITE_BYTES = 1 << 20;
/** Shorter journals are not worth rewriting. */
const FEWEST_LINES_TO_COMPACT = 20_000;

/**
 * An append-only file of JSON lines. A line is handed to the operating system before the change is answered, so a process that dies at
 * any moment loses nothing it answered; a last line that is torn was never answered and is cut off at the next start, and one that
 * a full disk has torn at once. When most lines are history, the state is written to a new file (`metadata-<n+1>.jsonl`)
 * that takes the place of the old one.
 */
export class Journal {
  readonly #dir: string;
  #generation: number;
  #file: number;
  #sizeBytes = 0;
  #lines = 0;
  #linesAfterSnapshot = 0;

  private constructor(dir: string, generation: number, file: number) {
    this.#dir = dir;
    this.#generation = generation;
    this.#file = file;
  }

  /**
   * Opens the newest journal in `dir` and replays it.
   *
   * @throws {Error} naming file and line, if a line before the last is damaged
   */
  static open(dir: string, replay: (entry: JournalEntry) => void): Journal {
    mkdirSync(dir, { recursive: true });
    const generations = readdirSync(dir).flatMap((name) => FILE.exec(name)?.[1] ?? []);
    const generation = Math.max(1, ...generations.map(Number));
    const path = join(dir, toFileName(generation));
    const file = openSync(path, 'a+');
    const journal = new Journal(dir, generation, file);
    const { bytes, lines } = readLines(file, (line, number) => replay(parseLine(line, path, number)));
    ftruncateSync(file, bytes);
    journal.#sizeBytes = bytes;
    journal.#lines = lines;
    for (const old of generations) if (Number(old) < generation) rmSync(join(dir, toFileName(Number(old))));
    return journal;
  }

  /** @throws {Error} of the disk, after which the journal is as it was */
  append(entries: readonly JournalEntry[]): void {
    try {
      this.#sizeBytes += writeWhole(
        this.#file,
        entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
      );
    } catch (error) {
      ftruncateSync(this.#file, this.#sizeBytes);
      throw error;
    }
    this.#lines += entries.length;
  }

  /** True once the file is more than twice as long as its state was when it was last written whole. */
  get isWorthCompacting(): boolean {
    return this.#lines > FEWEST_LINES_TO_COMPACT + 2 * this.#linesAfterSnapshot;
  }

  /** Writes the state as a new journal. The old one counts until the new one is whole. */
  compact(state: Iterable<JournalEntry>): void {
    const path = join(this.#dir, toFileName(this.#generation + 1));
    const partial = `${path}.partial`;
    const file = openSync(partial, 'w');
    let lines = 0;
    let sizeBytes = 0;
    let text = '';
    try {
      for (const entry of state) {
        text += `${JSON.stringify(entry)}\n`;
        lines += 1;
        if (text.length < WRITE_BYTES) continue;
        sizeBytes += writeWhole(file, text);
        text = '';
      }
      sizeBytes += writeWhole(file, text);
      fsyncSync(file);
    } catch (error) {
      // The entries are in the old journal, which is only longer than necessary.
      process.stderr.write(
        `s3: ${partial} could not be written, the old journal goes on: ${String(error)}\n`,
      );
      closeSync(file);
      rmSync(partial);
      this.#linesAfterSnapshot = this.#lines;
      return;
    }
    closeSync(file);
    renameSync(partial, path);
    closeSync(this.#file);
    rmSync(join(this.#dir, toFileName(this.#generation)), { force: true });
    this.#file = openSync(path, 'a');
    this.#generation += 1;
    this.#sizeBytes = sizeBytes;
    this.#lines = lines;
    this.#linesAfterSnapshot = lines;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function toFileName(generation: number): string {
  return `metadata-${String(generation).padStart(8, '0')}.jsonl`;
}

function parseLine(line: string, path: string, number: number): JournalEntry {
  try {
    return JournalEntry.parse(JSON.parse(line));
  } catch (error) {
    throw new Error(
      `${path}:${number}: the line is damaged; restore the file, or move the folder away to start empty`,
      {
        cause: error,
      },
    );
  }
}

/** Gives how many bytes that were. */
function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
  return written;
}
