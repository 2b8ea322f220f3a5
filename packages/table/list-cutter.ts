import { DEFAULT_MAX_BYTES, RecordUnreadable, type TableRecord } from './record-cutter.ts';

const [LF, QUOTE, BACKSLASH, COMMA] = [10, 34, 92, 44];
const [OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const BLANKS: ReadonlySet<number | undefined> = new Set([32, 9, LF, 13]);

/**
 * Elements of a JSON list in a stream, as many at once as a chunk completes. They're cut by their brackets: one may be no JSON.
 *
 * @throws {RecordUnreadable} if the list breaks off, or something follows it
 */
export async function* readList(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes?: number,
): AsyncGenerator<TableRecord[]> {
  const cutter = new ListCutter(maxBytes);
  for await (const chunk of chunks) {
    const elements = [...cutter.push(chunk)];
    if (elements.length > 0) yield elements;
  }
  cutter.end();
}

/** Elements of a JSON list in memory, cut lazily, as far as it can be read. */
export function* elementsOf(text: string | Buffer): Generator<TableRecord> {
  const bytes = Buffer.from(text);
  try {
    yield* new ListCutter(bytes.length).push(bytes);
  } catch (error) {
    if (!(error instanceof RecordUnreadable)) throw error;
  }
}

/** Cuts a JSON list that comes in chunks. */
class ListCutter {
  readonly #maxBytes: number;
  /** From the element that is read on. */
  #held: Buffer = Buffer.alloc(0);
  /** Place of #held in the file, and its line. */
  #at = 0;
  #line = 1;
  /** Place in #held that is read next. */
  #read = 0;
  /** Number of brackets that are open: 0 before the list and behind it. */
  #depth = 0;
  #isInText = false;
  #isClosed = false;

  constructor(maxBytes = DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a chunk, and gives the elements that it completes. @throws {RecordUnreadable} */
  *push(chunk: Uint8Array): Generator<TableRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    for (let end = this.#endOfElement(); end !== undefined; end = this.#endOfElement()) {
      const element = this.#element(end);
      if (element.bytes.length > this.#maxBytes) throw this.#unreadable('too-long');
      this.#isClosed = this.#depth === 0;
      // People also write a comma behind the last element.
      if (!this.#isClosed || element.bytes.length > 0) yield element;
      this.#pass(end + 1);
    }
    if (this.#isClosed && this.#element(this.#held.length).bytes.length > 0)
      throw this.#unreadable('behind-list');
    if (this.#held.length > this.#maxBytes) throw this.#unreadable('too-long');
  }

  /** @throws {RecordUnreadable} if the list is still open */
  end(): void {
    if (!this.#isClosed) throw this.#unreadable('open-list');
  }

  /** Place of the comma or bracket that closes an element; undefined if more bytes are needed. */
  #endOfElement(): number | undefined {
    const held = this.#held;
    if (this.#isClosed) return undefined;
    let at = this.#read;
    for (; at < held.length; at++) {
      const byte = held[at];
      if (this.#isInText) {
        const quote = held.indexOf(QUOTE, at);
        at = quote < 0 ? held.length : quote;
        this.#isInText = quote < 0 || isEscaped(held, quote);
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN || byte === OPEN_OBJECT) {
        this.#depth += 1;
        if (this.#depth > 1) continue;
        this.#pass(at + 1);
        return this.#endOfElement();
      } else if (byte === CLOSE || (byte === CLOSE_OBJECT && this.#depth > 1)) {
        this.#depth -= 1;
        if (this.#depth === 0) return at;
      } else if (byte === COMMA && this.#depth === 1) return at;
    }
    this.#read = held.length;
    return undefined;
  }

  /** The element that stops at a place, without the blanks around it. */
  #element(stop: number): TableRecord {
    const held = this.#held;
    let [start, end] = [0, stop];
    while (start < end && BLANKS.has(held[start])) start += 1;
    while (end > start && BLANKS.has(held[end - 1])) end -= 1;
    const line = this.#line + linesIn(held.subarray(0, start));
    return { start: this.#at + start, end: this.#at + end, line, bytes: held.subarray(start, end) };
  }

  /** Goes on behind a place. */
  #pass(place: number): void {
    this.#line += linesIn(this.#held.subarray(0, place));
    this.#at += place;
    this.#held = this.#held.subarray(place);
    this.#read = 0;
  }

  #unreadable(reason: RecordUnreadable['reason']): RecordUnreadable {
    const { line, bytes } = this.#element(this.#held.length);
    return new RecordUnreadable(line, reason, bytes);
  }
}

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return lines;
}

/** Whether backslashes before a quote make it a character of its text. */
function isEscaped(bytes: Buffer, quote: number): boolean {
  let at = quote;
  while (bytes[at - 1] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}
