import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isOutOfRoom, readLines } from './read-lines.ts';

const TRY_AGAIN_MS = 1000;

interface JournalOptions {
  /** How long records may wait for others before they are written; a crash loses those that wait. */
  readonly gatherMs?: number;
  readonly write?: Write;
}

/**
 * Opens a journal and hands every record in it to `replay`, oldest first. A torn last line (a crash) is cut off.
 * What finds no room on the disk is reported on stderr and tried again until it does.
 */
export function openJournal(
  file: string,
  replay: (record: unknown) => void,
  options: JournalOptions = {},
): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, existsSync(file) ? 'r+' : 'w+');
  const found = replayLines(fd, file, replay);
  ftruncateSync(fd, found.bytes);
  return new Journal(file, { fd, ...found }, options);
}

/** An open file, and how much it holds. */
interface Content {
  readonly fd: number;
  readonly bytes: number;
  readonly lines: number;
}

/**
 * An append-only file of JSON lines. What is appended within one turn of the event loop goes to the file in one write;
 * it survives the end of the process, and is not forced to the disk's platter.
 */
export class Journal {
  readonly #file: string;
  readonly #gatherMs: number;
  readonly #write: Write;
  #fd: number;
  #position: number;
  #lines: number;
  #pending: string[] = [];
  #turn: Promise<void> | undefined;

  constructor(
    file: string,
    { fd, bytes, lines }: Content,
    { gatherMs = 0, write = writeSync }: JournalOptions,
  ) {
    this.#file = file;
    this.#gatherMs = gatherMs;
    this.#write = write;
    this.#fd = fd;
    this.#position = bytes;
    this.#lines = lines;
  }

  /** Lines in the file, the ones on their way included. */
  get lines(): number {
    return this.#lines;
  }

  append(record: unknown): void {
    this.#pending.push(`${JSON.stringify(record)}\n`);
    this.#lines += 1;
    this.#turn ??= new Promise((resolve) => {
      const flush = (): void => this.#flushOrWait(resolve);
      if (this.#gatherMs === 0) setImmediate(flush);
      else setTimeout(flush, this.#gatherMs).unref();
    });
  }

  /** Resolves when everything appended so far is in the file; on a full disk, when there is room again. */
  written(): Promise<void> {
    return this.#turn ?? Promise.resolve();
  }

  /**
   * Replaces the whole file by these records, in one rename.
   *
   * @throws {Error} of the disk, after which the file is as it was
   */
  rewrite(records: Iterable<unknown>): void {
    const next = replaceFile(this.#file, records, this.#write);
    closeSync(this.#fd);
    this.#fd = next.fd;
    this.#position = next.bytes;
    this.#lines = next.lines;
    this.#pending = [];
  }

  /** Rewrites the file with only its effective records. If that fails, the file keeps its length, and stderr says so. */
  compact(records: Iterable<unknown>): void {
    try {
      this.rewrite(records);
    } catch (error) {
      this.#report('could not be shortened', error);
    }
  }

  /** Hands over every record in the file, oldest first, until `visit` gives false. */
  read(visit: (record: unknown) => boolean | void): void {
    this.#flush();
    replayLines(this.#fd, this.#file, visit);
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#fd);
    }
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    this.#position += writeAll(this.#write, this.#fd, this.#pending.join(''), this.#position);
    this.#pending = [];
  }

  #flushOrWait(done: () => void): void {
    try {
      this.#flush();
    } catch (error) {
      if (!isOutOfRoom(error)) throw error;
      this.#report(`${this.#pending.length} records wait until they can be written`, error);
      setTimeout(() => this.#flushOrWait(done), TRY_AGAIN_MS).unref();
      return;
    }
    this.#turn = undefined;
    done();
  }

  #report(what: string, error: unknown): void {
    process.stderr.write(`${this.#file}: ${what}: ${String(error)}\n`);
  }
}

type Write = (
  fd: number,
  bytes: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number,
) => number;

function writeAll(write: Write, fd: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length)
    written += write(fd, bytes, written, bytes.length - written, position + written);
  return bytes.length;
}

/** @throws {Error} of the disk, after which the file is as it was */
function replaceFile(file: string, records: Iterable<unknown>, write: Write): Content {
  const next = `${file}.next`;
  const fd = openSync(next, 'w+');
  let bytes = 0;
  let lines = 0;
  let chunk: string[] = [];
  try {
    for (const record of records) {
      chunk.push(`${JSON.stringify(record)}\n`);
      lines += 1;
      if (chunk.length < 1000) continue;
      bytes += writeAll(write, fd, chunk.join(''), bytes);
      chunk = [];
    }
    bytes += writeAll(write, fd, chunk.join(''), bytes);
    renameSync(next, file);
  } catch (error) {
    closeSync(fd);
    rmSync(next, { force: true });
    throw error;
  }
  return { fd, bytes, lines };
}

function replayLines(
  fd: number,
  file: string,
  visit: (record: unknown) => boolean | void,
): Omit<Content, 'fd'> {
  return readLines(fd, (line, number) => visit(parseLine(line, file, number)));
}

function parseLine(line: string, file: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error(
      `${file}: line ${number} is not JSON; the file was damaged by something else than this stack`,
    );
  }
}
