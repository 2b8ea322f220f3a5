import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isOutOfRoom } from './out-of-room.ts';

/**
 * An append-only file of JSON lines. What is appended within one turn of the event loop goes to the file in one write;
 * it survives the end of the process, and is not forced to the disk's platter.
 */
export interface Journal {
  append(record: unknown): void;
  /** Resolves when everything appended so far is in the file; on a full disk, when there is room again. */
  written(): Promise<void>;
  /**
   * Replaces the whole file by these records, in one rename.
   *
   * @throws {Error} of the disk, after which the file is as it was
   */
  rewrite(records: Iterable<unknown>): void;
  /**
   * As `rewrite`, of the records that the file amounts to: where that fails it stays as long as it is, which is reported on
   * stderr.
   */
  compact(records: Iterable<unknown>): void;
  /** Hands over every record in the file, oldest first, until `visit` gives false. */
  read(visit: (record: unknown) => boolean | void): void;
  /** Lines in the file, the ones on their way included. */
  readonly lines: number;
  close(): void;
}

const READ_BYTES = 1 << 20;
const TRY_AGAIN_MS = 1000;

/**
 * Opens a journal and hands every record in it to `replay`, oldest first. A torn last line (a crash) is cut off.
 * What finds no room on the disk is reported on stderr and tried again until it does.
 *
 * @param options.gatherMs how long records may wait for others before they are written; a crash loses those that wait
 */
export function openJournal(
  file: string,
  replay: (record: unknown) => void,
  { gatherMs = 0, write = writeSync }: { readonly gatherMs?: number; readonly write?: Write } = {},
): Journal {
  mkdirSync(dirname(file), { recursive: true });
  let fd = openSync(file, existsSync(file) ? 'r+' : 'w+');
  const found = replayLines(fd, file, replay);
  ftruncateSync(fd, found.bytes);
  let position = found.bytes;
  let lines = found.lines;
  let pending: string[] = [];
  let turn: Promise<void> | undefined;

  const flush = (): void => {
    if (pending.length === 0) return;
    position += writeAll(write, fd, pending.join(''), position);
    pending = [];
  };
  const tell = (what: string, error: unknown): void =>
    void process.stderr.write(`${file}: ${what}: ${String(error)}\n`);
  const flushOrWait = (done: () => void): void => {
    try {
      flush();
    } catch (error) {
      if (!isOutOfRoom(error)) throw error;
      tell(`${pending.length} records wait until they can be written`, error);
      setTimeout(flushOrWait, TRY_AGAIN_MS, done).unref();
      return;
    }
    turn = undefined;
    done();
  };
  const rewrite = (records: Iterable<unknown>): void => {
    const next = replaceFile(file, records, write);
    closeSync(fd);
    fd = next.fd;
    position = next.bytes;
    lines = next.lines;
    pending = [];
  };
  return {
    append: (record) => {
      pending.push(`${JSON.stringify(record)}\n`);
      lines += 1;
      turn ??= new Promise((resolve) => {
        if (gatherMs === 0) setImmediate(flushOrWait, resolve);
        else setTimeout(flushOrWait, gatherMs, resolve).unref();
      });
    },
    written: () => turn ?? Promise.resolve(),
    rewrite,
    compact: (records) => {
      try {
        rewrite(records);
      } catch (error) {
        tell('could not be shortened', error);
      }
    },
    read: (visit) => {
      flush();
      replayLines(fd, file, visit);
    },
    get lines() {
      return lines;
    },
    close: () => {
      try {
        flush();
      } finally {
        closeSync(fd);
      }
    },
  };
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
function replaceFile(
  file: string,
  records: Iterable<unknown>,
  write: Write,
): { readonly fd: number; readonly bytes: number; readonly lines: number } {
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
): { bytes: number; lines: number } {
  let rest = Buffer.alloc(0);
  let bytes = 0;
  let lines = 0;
  const chunk = Buffer.alloc(READ_BYTES);
  for (let position = 0; ;) {
    const read = readSync(fd, chunk, 0, READ_BYTES, position);
    if (read === 0) return { bytes, lines };
    position += read;
    const block =
      rest.length === 0 ? chunk.subarray(0, read) : Buffer.concat([rest, chunk.subarray(0, read)]);
    let start = 0;
    for (let end = block.indexOf(10); end !== -1; end = block.indexOf(10, start)) {
      lines += 1;
      bytes += end + 1 - start;
      if (visit(parseLine(block.toString('utf8', start, end), file, lines)) === false)
        return { bytes, lines };
      start = end + 1;
    }
    rest = Buffer.from(block.subarray(start));
  }
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
