import { invalidArgument } from './serving-error.ts';

/** A number with meaningful text: whether it was written as an integer, and digits beyond a double's precision. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }

  get value(): number {
    return toNumber(this.text);
  }
}

/**
 * A value of a parsed document. From `parseJsonDocument` each number keeps its text (`JsonNumber`), from which `NaN` and large
 * integers are read; a plain `number` comes from the host's own parser, used when doubles suffice (predict-request.ts).
 */
export type JsonValue = null | boolean | string | number | JsonNumber | readonly JsonValue[] | JsonObject;
/** An object of a parsed document: its values by name, the last where a name occurs twice. */
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** Neither a number nor an array. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
  );
}

/** An array of a parsed document; `Array.isArray` does not narrow read-only arrays. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * Parses a request as RapidJSON does with NaN and Infinity allowed, and keeps each number's text.
 *
 * @throws {ServingError} `JSON Parse error: <RapidJSON's text> at offset: <byte>`
 */
export function parseJsonDocument(text: string): JsonValue {
  const parser = new Parser(text);
  return parser.document();
}

const SPACE = new Set([' ', '\n', '\r', '\t']);
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const NON_FINITE = /-?(?:NaN|Infinity|Inf)/y;
const MAX_DEPTH = 1_000;

class Parser {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): JsonValue {
    this.skipSpace();
    if (this.at >= this.text.length) this.fail('The document is empty.');
    const value = this.value(0);
    this.skipSpace();
    if (this.at < this.text.length) this.fail('The document root must not be followed by other values.');
    return value;
  }

  private value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) this.fail('Terminate parsing due to Handler error.');
    switch (this.text[this.at]) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    const members: [string, JsonValue][] = [];
    this.at++;
    this.skipSpace();
    if (this.take('}')) return {};
    for (;;) {
      if (this.text[this.at] !== '"') this.fail('Missing a name for object member.');
      const name = this.string();
      this.skipSpace();
      if (!this.take(':')) this.fail('Missing a colon after a name of object member.');
      this.skipSpace();
      members.push([name, this.value(depth + 1)]);
      this.skipSpace();
      if (this.take('}')) return Object.fromEntries(members);
      if (!this.take(',')) this.fail('Missing a comma or } after an object member.');
      this.skipSpace();
    }
  }

  private array(depth: number): readonly JsonValue[] {
    const elements: JsonValue[] = [];
    this.at++;
    this.skipSpace();
    if (this.take(']')) return elements;
    for (;;) {
      elements.push(this.value(depth + 1));
      this.skipSpace();
      if (this.take(']')) return elements;
      if (!this.take(',')) this.fail('Missing a comma or ] after an array element.');
      this.skipSpace();
    }
  }

  private string(): string {
    const start = this.at;
    for (let end = start + 1; ; end++) {
      const code = this.text.charCodeAt(end);
      if (Number.isNaN(code)) {
        this.at = start;
        this.fail('Missing a closing quotation mark in string.');
      } else if (code === 0x22) {
        this.at = end + 1;
        return this.unescape(start, end + 1);
      } else if (code === 0x5c) end++;
      else if (code < 0x20) {
        this.at = end;
        this.fail('Invalid encoding in string.');
      }
    }
  }

  private unescape(start: number, end: number): string {
    const quoted = this.text.slice(start, end);
    if (!quoted.includes('\\')) return quoted.slice(1, -1);
    const bad = /\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(quoted.replace(/\\\\/g, '__'));
    if (bad) {
      this.at = start + bad.index;
      this.fail('Invalid escape character in string.');
    }
    return String(JSON.parse(quoted));
  }

  private number(): JsonNumber {
    for (const pattern of [NON_FINITE, NUMBER]) {
      pattern.lastIndex = this.at;
      const match = pattern.exec(this.text);
      if (match) {
        this.at += match[0].length;
        return new JsonNumber(match[0]);
      }
    }
    return this.fail('Invalid value.');
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail('Invalid value.');
    this.at += word.length;
    return value;
  }

  private take(char: string): boolean {
    if (this.text[this.at] !== char) return false;
    this.at++;
    return true;
  }

  private skipSpace(): void {
    while (SPACE.has(this.text[this.at] ?? '')) this.at++;
  }

  private fail(message: string): never {
    const offset = Buffer.byteLength(this.text.slice(0, this.at));
    throw invalidArgument(`JSON Parse error: ${message} at offset: ${offset}`);
  }
}

function toNumber(text: string): number {
  if (text.endsWith('NaN')) return NaN;
  if (text.includes('Inf')) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}
