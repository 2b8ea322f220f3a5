import { randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SegmentOwner } from './catalog.ts';
import type { Segment } from './object-version.ts';

/** Up to this size one blocking call is cheaper than the round trips to the thread pool. */
const SMALL_BYTES = 256 * 1024;
const FOLDERS = 256;

/**
 * The bytes of objects, each body in a file of an opaque name, so that no key can clash with a path. Files are never changed once
 * written; they are shared by reference (`Segment`) and deleted with the last one.
 */
export class Bodies implements SegmentOwner {
  readonly #dir: string;
  readonly #references = new Map<string, number>();
  /** Prefix of every body file of this process, so that a sweep can identify an earlier process's. */
  readonly #session = randomBytes(6).toString('hex');
  #counter = 0;
  /** While the journal is replayed, unreferenced files have been deleted already. */
  #replaying = true;

  constructor(dir: string) {
    this.#dir = dir;
    for (let i = 0; i < FOLDERS; i++) mkdirSync(join(dir, toFolder(i)), { recursive: true });
  }

  /** Finishes the replay: removes files that no metadata points to. A process that died before it answered left them. */
  sweep(): void {
    this.#replaying = false;
    for (let i = 0; i < FOLDERS; i++) {
      for (const id of readdirSync(join(this.#dir, toFolder(i)))) {
        if (!this.#references.has(id)) rmSync(this.#path(id), { force: true });
      }
    }
  }

  retain(segments: readonly Segment[]): void {
    for (const { id } of segments) this.#references.set(id, (this.#references.get(id) ?? 0) + 1);
  }

  release(segments: readonly Segment[]): void {
    for (const { id } of segments) {
      const left = (this.#references.get(id) ?? 0) - 1;
      if (left > 0) {
        this.#references.set(id, left);
        continue;
      }
      this.#references.delete(id);
      if (!this.#replaying) unlinkSync(this.#path(id));
    }
  }

  /** Stores a whole body. The caller holds a reference to it and releases it once metadata does. */
  write(body: Buffer): Segment[] {
    if (body.length === 0) return [];
    const id = this.#newId();
    writeFileSync(this.#path(id), body);
    const segments = [{ id, offset: 0, size: body.length }];
    this.retain(segments);
    return segments;
  }

  /** Begins a body of unknown length. */
  writer(): BodyWriter {
    const id = this.#newId();
    return new BodyWriter(id, this.#path(id), SMALL_BYTES, this);
  }

  /** Reads `[start, end)` of the body that the segments make; they are held until the stream is closed. */
  read(segments: readonly Segment[], start = 0, end = Number.POSITIVE_INFINITY): Readable {
    const slices = slice(segments, start, end);
    const sizeBytes = totalSize(slices);
    if (sizeBytes <= SMALL_BYTES) return Readable.from([this.readNow(slices)], { objectMode: false });
    this.retain(slices);
    const stream = Readable.from(this.#chunks(slices), { objectMode: false });
    stream.once('close', () => this.release(slices));
    return stream;
  }

  /** Reads a whole body into memory, each byte once: a function's code has a hundred megabytes. */
  async readWhole(segments: readonly Segment[]): Promise<Buffer> {
    const sizeBytes = totalSize(segments);
    if (sizeBytes <= SMALL_BYTES) return this.readNow(segments);
    const bytes = Buffer.allocUnsafe(sizeBytes);
    this.retain(segments);
    try {
      let at = 0;
      for (const { id, offset, size } of segments) {
        const file = await open(this.#path(id));
        try {
          for (const end = at + size; at < end;) {
            const { bytesRead } = await file.read(bytes, at, end - at, offset + size - (end - at));
            if (bytesRead === 0) throw tooShort(id, offset + size - (end - at), offset + size);
            at += bytesRead;
          }
        } finally {
          await file.close();
        }
      }
    } finally {
      this.release(segments);
    }
    return bytes;
  }

  /** Reads a small body at once. */
  readNow(segments: readonly Segment[]): Buffer {
    const bytes = Buffer.allocUnsafe(totalSize(segments));
    let at = 0;
    for (const { id, offset, size } of segments) {
      const file = openSync(this.#path(id), 'r');
      try {
        for (let done = 0; done < size;) {
          const count = readSync(file, bytes, at + done, size - done, offset + done);
          if (count === 0) throw tooShort(id, offset + done, offset + size);
          done += count;
        }
      } finally {
        closeSync(file);
      }
      at += size;
    }
    return bytes;
  }

  async *#chunks(segments: readonly Segment[]): AsyncGenerator<Buffer> {
    for (const { id, offset, size } of segments) {
      const options = { start: offset, end: offset + size - 1, highWaterMark: SMALL_BYTES };
      for await (const chunk of createReadStream(this.#path(id), options)) {
        if (Buffer.isBuffer(chunk)) yield chunk;
      }
    }
  }

  #newId(): string {
    this.#counter += 1;
    return `${this.#session}${this.#counter.toString(16).padStart(8, '0')}`;
  }

  #path(id: string): string {
    return join(this.#dir, id.slice(-2), id);
  }
}

/** Takes a body as it arrives: small ones in memory and then in one write, others straight to their file. */
export class BodyWriter {
  readonly #id: string;
  readonly #path: string;
  readonly #smallBytes: number;
  readonly #owner: SegmentOwner;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #handle: FileHandle | undefined;
  sizeBytes = 0;

  constructor(id: string, path: string, smallBytes: number, owner: SegmentOwner) {
    this.#id = id;
    this.#path = path;
    this.#smallBytes = smallBytes;
    this.#owner = owner;
  }

  /** Resolves at once while the bytes are held in memory, else when the file has them. */
  async write(chunk: Buffer): Promise<void> {
    this.sizeBytes += chunk.length;
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > this.#smallBytes) await this.#flush();
  }

  /** Finishes the body. The caller holds a reference to it and releases it once metadata does. */
  async finish(): Promise<Segment[]> {
    if (this.sizeBytes === 0) return [];
    if (this.#handle) {
      await this.#flush();
      await this.#handle.close();
    } else
      writeFileSync(
        this.#path,
        this.#held.length === 1 && this.#held[0] ? this.#held[0] : Buffer.concat(this.#held),
      );
    const segments = [{ id: this.#id, offset: 0, size: this.sizeBytes }];
    this.#owner.retain(segments);
    return segments;
  }

  /** Forgets the bytes, after a body that did not arrive whole. */
  async discard(): Promise<void> {
    await this.#handle?.close();
    rmSync(this.#path, { force: true });
  }

  async #flush(): Promise<void> {
    const chunks = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#handle ??= await open(this.#path, 'w');
    for (let rest = chunks; rest.length > 0;) {
      const { bytesWritten } = await this.#handle.writev(rest);
      rest = dropBytes(rest, bytesWritten);
    }
  }
}

/** The same bytes `[start, end)` in terms of the files. */
export function slice(segments: readonly Segment[], start: number, end: number): Segment[] {
  const slices: Segment[] = [];
  let at = 0;
  for (const { id, offset, size } of segments) {
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, size);
    if (from < to) slices.push({ id, offset: offset + from, size: to - from });
    at += size;
  }
  return slices;
}

function totalSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, { size }) => sum + size, 0);
}

function dropBytes(chunks: readonly Buffer[], count: number): Buffer[] {
  let left = count;
  return chunks.flatMap((chunk) => {
    const dropped = Math.min(left, chunk.length);
    left -= dropped;
    return dropped === chunk.length ? [] : [chunk.subarray(dropped)];
  });
}

function toFolder(index: number): string {
  return index.toString(16).padStart(2, '0');
}

function tooShort(id: string, found: number, expected: number): Error {
  return new Error(`body ${id} ends at ${found}, should have ${expected} bytes`);
}
