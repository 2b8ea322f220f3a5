/** A value as Python's `json.loads` gives it: whole numbers and floating-point numbers are two types, keys keep their order. */
export type PythonValue =
  null | boolean | bigint | number | string | readonly PythonValue[] | ReadonlyMap<string, PythonValue>;

/**
 * Reads JSON as Python's `json.loads` does: whole numbers of any length, `NaN` and `Infinity`, and the last of two equal keys.
 *
 * @throws {SyntaxError} if Python can't read it
 */
export function parsePythonJson(text: string): PythonValue {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

const NAMED: ReadonlyMap<string, PythonValue> = new Map<string, PythonValue>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): PythonValue {
    this.#skipSpace();
    const name = this.#take(/null|true|false|NaN|-?Infinity/y);
    if (name !== undefined) return NAMED.get(name) ?? null;
    const number = this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y);
    if (number !== undefined) return /[.eE]/.test(number) ? Number(number) : BigInt(number);
    switch (this.#text[this.#at]) {
      case '"':
        return this.#string();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      default:
        return this.#fail();
    }
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail();
  }

  #list(): PythonValue {
    const items: PythonValue[] = [];
    this.#at++;
    if (this.#is(']')) return items;
    do items.push(this.value());
    while (this.#is(','));
    return this.#is(']') ? items : this.#fail();
  }

  #map(): PythonValue {
    const entries = new Map<string, PythonValue>();
    this.#at++;
    if (this.#is('}')) return entries;
    do {
      this.#skipSpace();
      const key = this.#string();
      if (!this.#is(':')) this.#fail();
      entries.set(key, this.value());
    } while (this.#is(','));
    return this.#is('}') ? entries : this.#fail();
  }

  #string(): string {
    const token = this.#take(/"(?:[^"\\]|\\.)*"/sy);
    if (token === undefined) return this.#fail();
    const text: unknown = JSON.parse(token);
    return typeof text === 'string' ? text : this.#fail();
  }

  #is(sign: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    this.#take(/[ \t\n\r]*/y);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(): never {
    throw new SyntaxError(`not JSON at character ${this.#at}`);
  }
}

/** A list, in Python's words. */
export function isList(value: PythonValue | undefined): value is readonly PythonValue[] {
  return Array.isArray(value);
}

/** A dict, in Python's words. */
export function isMap(value: PythonValue | undefined): value is ReadonlyMap<string, PythonValue> {
  return value instanceof Map;
}

/** Whether Python's `if value:` goes on. */
export function isTruthy(value: PythonValue | undefined): boolean {
  if (isList(value)) return value.length > 0;
  if (isMap(value)) return value.size > 0;
  return Number.isNaN(value) || Boolean(value);
}

/** Python's order of texts: by code points (JavaScript's is by UTF-16 units). */
export function compareCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [at, sign] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    if (sign !== other) return (sign.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
  }
  return left.length - right.length;
}
