import { type Json, mayBeMisread } from '../text/parse-json.ts';
import { OutputError } from './output-error.ts';

/** A parsed JSON value; numbers may be NaN or infinite, as TensorFlow Serving writes them. */
export type JsonValue = Json;

const MAX_DEPTH = 100;
const NUMBER = /-?(?:Infinity|NaN|(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const SPACE = /[ \t\r\n]*/y;
const WORDS: ReadonlyMap<string, JsonValue> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads the JSON documents of one output object: one, one a line, or several glued together as SageMaker's `AssembleWith: None`
 * leaves them. Bare `NaN`, `Infinity` and `-Infinity`, which TensorFlow Serving and Python write, are numbers.
 *
 * @throws {OutputError} `unreadable-output`, with the position
 */
export function readJsonDocuments(text: string): JsonValue[] {
  return [...jsonDocuments(text)];
}

/** Reads the documents lazily, since a million of them take more memory than the part of each that is kept. */
export function jsonDocuments(text: string): Iterable<JsonValue> {
  const strict = parseStrict(text);
  return strict === undefined ? { [Symbol.iterator]: () => documentsOf(text) } : [strict];
}

function* documentsOf(text: string): Generator<JsonValue> {
  const reader = new Reader(text);
  while (reader.more()) yield reader.document();
}

/**
 * JSON.parse is several times faster, and most outputs are one strict document. Undefined if the text is not one, is nested
 * so deeply that recursive readers would overflow the stack, or has a name that it may misread.
 */
function parseStrict(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return (hasManyBrackets(text) && isTooDeep(value)) || mayBeMisread(text, value) ? undefined : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Most outputs have too few to be too deep, and aren't walked; outputs of one record have them all at the beginning. */
function hasManyBrackets(json: string): boolean {
  if (json.indexOf('[', MAX_DEPTH) < 0 && json.indexOf('{', MAX_DEPTH) < 0) return false;
  let left = MAX_DEPTH;
  for (const bracket of '[{')
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1))
      if (--left < 0) return true;
  return false;
}

function isTooDeep(value: JsonValue, depth = 0): boolean {
  if (value === null || typeof value !== 'object') return false;
  return depth >= MAX_DEPTH || Object.values(value).some((item) => isTooDeep(item, depth + 1));
}

/** Index of the closing quote of a string. A regular expression would overflow its stack on a string of megabytes. */
function closingQuote(json: string, opening: number): number | undefined {
  for (let at = json.indexOf('"', opening + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json[at - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return undefined;
}

class Reader {
  readonly #text: string;
  #at = 0;
  #isLinewise = true;

  constructor(text: string) {
    this.#text = text;
  }

  more(): boolean {
    this.#match(SPACE);
    return this.#at < this.#text.length;
  }

  /** The next document, by JSON.parse as long as each has a line to itself. */
  document(): JsonValue {
    if (this.#isLinewise) {
      const found = this.#text.indexOf('\n', this.#at);
      const end = found < 0 ? this.#text.length : found;
      const strict = parseStrict(this.#text.slice(this.#at, end));
      this.#isLinewise = strict !== undefined;
      if (strict !== undefined) {
        this.#at = end;
        return strict;
      }
    }
    return this.value(0);
  }

  value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw this.#unreadable(`is nested more than ${MAX_DEPTH} levels deep`);
    this.#match(SPACE);
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#array(depth);
      case '"':
        return this.#string();
      case 't':
      case 'f':
      case 'n':
        return this.#word();
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonValue {
    const fields: [string, JsonValue][] = [];
    this.#at++;
    while (!this.#closes('}', fields.length)) {
      this.#match(SPACE);
      const name = this.#string();
      this.#match(SPACE);
      this.#expect(':');
      fields.push([name, this.value(depth + 1)]);
    }
    return Object.fromEntries(fields);
  }

  #array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#at++;
    while (!this.#closes(']', items.length)) items.push(this.value(depth + 1));
    // A list that grew has spare capacity; a copy doesn't.
    return items.slice();
  }

  /** Steps over the closing bracket, or over the comma before a further item. */
  #closes(bracket: string, items: number): boolean {
    this.#match(SPACE);
    if (this.#text[this.#at] === bracket) {
      this.#at++;
      return true;
    }
    if (items > 0) this.#expect(',');
    return false;
  }

  #string(): string {
    const end = this.#text[this.#at] === '"' ? closingQuote(this.#text, this.#at) : undefined;
    if (end === undefined) throw this.#unreadable('has no string');
    const value = parseStrict(this.#text.slice(this.#at, end + 1));
    if (typeof value !== 'string') throw this.#unreadable('has a broken string');
    this.#at = end + 1;
    return value;
  }

  #number(): number {
    const digits = this.#match(NUMBER);
    if (digits === undefined) throw this.#unreadable('is not JSON');
    return Number(digits);
  }

  #word(): JsonValue {
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue;
      this.#at += word.length;
      return value;
    }
    throw this.#unreadable('is not JSON');
  }

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw this.#unreadable(`has no "${character}"`);
    this.#at++;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #unreadable(what: string): OutputError {
    const here = JSON.stringify(this.#text.slice(this.#at, this.#at + 20));
    return new OutputError('unreadable-output', `the output ${what} at character ${this.#at}, near ${here}`);
  }
}
