/** How a text is cut. */
export interface Cut {
  /** `csv`: quotes may hold line breaks. `lines`: JSON Lines. */
  readonly notation: 'csv' | 'lines';
  /** Between the cells of CSV: a comma unless it is given. */
  readonly delimiter?: string;
  /** Cap on a record, so that a quote that never closes costs this much memory and no more. */
  readonly maxBytes?: number;
  /** Reads as Python's `csv` does without `strict`: a line of blanks is a record, and the end of the text closes a quote. */
  readonly lenient?: boolean;
}

/** A record and its place in the file. */
export interface TableRecord {
  /** Byte range in the file, line end excluded. */
  readonly start: number;
  readonly end: number;
  /** Line on which it begins, from 1. */
  readonly line: number;
  /** UTF-8. */
  readonly bytes: Buffer;
}

const REASONS = {
  'unclosed-quote': 'a quote that opens here never closes',
  'too-long': 'the record is too long',
  'open-list': 'the list breaks off',
  'behind-list': 'something follows the list',
};
type Reason = keyof typeof REASONS;

/** A record has no end: its line, its first bytes, and why. */
export class RecordUnreadable extends Error {
  override readonly name = 'RecordUnreadable';
  readonly line: number;
  readonly reason: Reason;
  readonly head: string;

  constructor(line: number, reason: Reason, bytes: Buffer) {
    super(`line ${line}: ${REASONS[reason]}`);
    this.line = line;
    this.reason = reason;
    this.head = bytes.toString('utf8', 0, 500);
  }
}

/** Cap on a record unless another is given. */
export const DEFAULT_MAX_BYTES = 8_000_000;
const [LF, CR, QUOTE, SPACE, TAB] = [10, 13, 34, 32, 9];
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Records of a stream, as many at once as a chunk completes: awaiting each would take longer than reading it.
 *
 * @throws {RecordUnreadable}
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
  cut: Cut,
): AsyncGenerator<TableRecord[]> {
  const cutter = new RecordCutter(cut);
  for await (const chunk of chunks) {
    const records = [...cutter.push(chunk)];
    if (records.length > 0) yield records;
  }
  const records = [...cutter.end()];
  if (records.length > 0) yield records;
}

/**
 * Records of a text in memory, cut lazily. A text may be one record, however long.
 *
 * @throws {RecordUnreadable} once the records before it were taken
 */
export function* recordsOf(text: string | Buffer, cut: Cut): Generator<TableRecord> {
  const bytes = Buffer.from(text);
  const cutter = new RecordCutter({ maxBytes: bytes.length, ...cut });
  yield* cutter.push(bytes);
  yield* cutter.end();
}

/** Cuts a text that comes in chunks. */
export class RecordCutter {
  readonly #isCsv: boolean;
  readonly #isLenient: boolean;
  readonly #delimiter: number | Buffer;
  readonly #maxBytes: number;
  #held: Buffer = Buffer.alloc(0);
  /** Place of #held in the file, and the line it begins on. */
  #at = 0;
  #line = 1;
  #blankLines = 0;
  /** Place in #held of the line that is read next, which may lie within a record; the number of the record's lines before it. */
  #read = 0;
  #lines = 0;
  #isOpen = false;
  #isBegun = false;

  constructor({ notation, delimiter = ',', maxBytes = DEFAULT_MAX_BYTES, lenient = false }: Cut) {
    const bytes = Buffer.from(delimiter);
    this.#isCsv = notation === 'csv';
    this.#delimiter = bytes.length === 1 ? (bytes[0] ?? 0) : bytes;
    this.#maxBytes = maxBytes;
    this.#isLenient = lenient;
  }

  /** Blank lines so far. */
  get blankLines(): number {
    return this.#blankLines;
  }

  /** Takes a chunk, and gives the records that it completes. @throws {RecordUnreadable} */
  *push(chunk: Uint8Array): Generator<TableRecord> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    yield* this.#cut(false);
  }

  /** The last record, which may lack its line end. @throws {RecordUnreadable} */
  *end(): Generator<TableRecord> {
    yield* this.#cut(true);
  }

  *#cut(isWhole: boolean): Generator<TableRecord> {
    if (!this.#isBegun) {
      if (!isWhole && this.#held.length < MARK.length) return;
      this.#isBegun = true;
      if (this.#held.subarray(0, MARK.length).equals(MARK)) {
        this.#held = this.#held.subarray(MARK.length);
        this.#at = MARK.length;
      }
    }
    const held = this.#held;
    let begin = 0;
    let cursor = this.#read;
    // A place that was found is valid until the cursor passes it, so that no byte is searched twice.
    let [lf, cr, quote] = [-2, -2, -2];
    while (cursor < held.length) {
      if (lf !== -1 && lf < cursor) lf = held.indexOf(LF, cursor);
      if (cr !== -1 && cr < cursor) cr = held.indexOf(CR, cursor);
      const found = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr);
      // A carriage return may be the first half of a line end.
      if (!isWhole && (found < 0 || (found === cr && cr + 1 === held.length))) break;
      const stop = found < 0 ? held.length : found;
      if (this.#isCsv) {
        if (quote !== -1 && quote < cursor) quote = held.indexOf(QUOTE, cursor);
        if (this.#isOpen || (quote >= 0 && quote < stop))
          this.#isOpen = this.#isOpenAfter(held, cursor, stop);
      }
      cursor = found < 0 ? stop : stop + (stop === cr && held[stop + 1] === LF ? 2 : 1);
      this.#lines += found < 0 ? 0 : 1;
      if (stop - begin > this.#maxBytes) throw this.#unreadable(held.subarray(begin));
      if (this.#isOpen) continue;
      if (this.#isBlank(held.subarray(begin, stop))) this.#blankLines += 1;
      else yield this.#record(begin, stop);
      this.#line += this.#lines;
      this.#lines = 0;
      begin = cursor;
    }
    if (held.length - begin > this.#maxBytes) throw this.#unreadable(held.subarray(begin));
    if (isWhole && this.#isOpen) {
      if (!this.#isLenient) throw this.#unreadable(held.subarray(begin));
      yield this.#record(begin, held.length);
    }
    this.#held = held.subarray(begin);
    this.#at += begin;
    this.#read = cursor - begin;
  }

  #record(from: number, to: number): TableRecord {
    return {
      start: this.#at + from,
      end: this.#at + to,
      line: this.#line,
      bytes: this.#held.subarray(from, to),
    };
  }

  /** Whether a quote is open after a line of a record. */
  #isOpenAfter(bytes: Buffer, from: number, to: number): boolean {
    // A line begins with a cell, unless it goes on within one.
    let [at, isStart] = [from, !this.#isOpen];
    let isOpen = this.#isOpen;
    for (;;) {
      if (isOpen) {
        const close = bytes.indexOf(QUOTE, at);
        if (close < 0 || close >= to) return true;
        at = close + 1;
        if (bytes[at] === QUOTE) at += 1;
        else isOpen = isStart = false;
      } else if (isStart && bytes[at] === QUOTE && at < to) {
        isOpen = true;
        at += 1;
      } else {
        const next = bytes.indexOf(this.#delimiter, at);
        if (next < 0 || next >= to) return false;
        isStart = true;
        at = next + (typeof this.#delimiter === 'number' ? 1 : this.#delimiter.length);
      }
    }
  }

  #isBlank(bytes: Buffer): boolean {
    if (this.#isLenient) return bytes.length === 0;
    return bytes.every((byte) => (byte === SPACE || byte === TAB) && byte !== this.#delimiter);
  }

  #unreadable(bytes: Buffer): RecordUnreadable {
    return new RecordUnreadable(this.#line, this.#isOpen ? 'unclosed-quote' : 'too-long', bytes);
  }
}
