/** Most repetitions, nested ones multiplied, and the largest expanded size that RE2 compiles. */
const MOST_REPEATS = 1_000;
const MOST_EXPANDED = 1_000_000;

const PERL_CLASSES = 'dDsSwW';
const ASSERTIONS = 'AbBz';
const CONTROLS = 'afnrtv';
const POSIX_CLASS =
  /^\[:\^?(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]$/;
const CATEGORY =
  /^(Any|Ascii|Assigned|Lc|LC|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfnos]?)$/;
/** Scripts of other names with four letters are ISO codes, which RE2 does not know. */
const FOUR_LETTER_SCRIPTS = new Set(['Cham', 'Kawi', 'Lisu', 'Modi', 'Newa', 'Thai', 'Toto']);

/** Why a text is no RE2 regular expression. */
export class Re2SyntaxError extends Error {
  override readonly name = 'Re2SyntaxError';
}

/** What stands before a place, as far as a repetition may follow it. */
interface Frame {
  /** Repetitions within what a repetition would repeat; undefined where nothing can be repeated. */
  last: number | undefined;
  /** Most repetitions in the group so far. */
  most: number;
}

/**
 * Counts the groups of an RE2 regular expression and so tells that it is one.
 *
 * It only knows the syntax (https://github.com/google/re2/wiki/Syntax), not how to match: the engine is larger than
 * everything else that plans a run. Tests hold the two together.
 *
 * @throws {Re2SyntaxError}
 */
export function countRe2Groups(pattern: string): number {
  const text = new Cursor(pattern);
  const names = new Set<string>();
  const outer: Frame[] = [];
  let frame: Frame = { last: undefined, most: 1 };
  let groups = 0;
  let justRepeated = false;
  const atom = (repeats = 1): void => {
    frame.last = repeats;
    frame.most = Math.max(frame.most, repeats);
  };
  const open = (): void => {
    outer.push(frame);
    frame = { last: undefined, most: 1 };
  };
  while (text.more()) {
    const repeat = readRepeat(text);
    if (repeat !== undefined) {
      if (justRepeated) throw new Re2SyntaxError(`a repetition of a repetition at ${repeat.text}`);
      if (frame.last === undefined) throw new Re2SyntaxError(`nothing to repeat before ${repeat.text}`);
      atom(repeatsOf(repeat, frame.last));
      justRepeated = true;
      continue;
    }
    justRepeated = false;
    const character = text.take();
    if (character === '(') {
      const kind = text.ahead('?') ? readGroup(text, names) : 'capture';
      if (kind === 'capture') groups += 1;
      if (kind !== 'flags') open();
    } else if (character === ')') {
      const around = outer.pop();
      if (around === undefined) throw new Re2SyntaxError('a ) without its (');
      const { most } = frame;
      frame = around;
      atom(most);
    } else if (character === '|') frame.last = undefined;
    else if (character === '[') {
      readClass(text);
      atom();
    } else if (character === '\\') {
      if (readEscape(text)) atom();
    } else atom();
  }
  if (outer.length > 0) throw new Re2SyntaxError('a ( without its )');
  if (pattern.length * frame.most > MOST_EXPANDED)
    throw new Re2SyntaxError('its repetitions make it too large');
  return groups;
}

/** The pattern and how far it has been read, in characters of Unicode. */
class Cursor {
  #rest: string;

  constructor(text: string) {
    this.#rest = text;
  }

  get rest(): string {
    return this.#rest;
  }

  more(): boolean {
    return this.#rest !== '';
  }

  ahead(text: string): boolean {
    return this.#rest.startsWith(text);
  }

  skip(count: number): void {
    this.#rest = this.#rest.slice(count);
  }

  /** The next character; empty at the end. */
  take(): string {
    const code = this.#rest.codePointAt(0);
    if (code === undefined) return '';
    const character = String.fromCodePoint(code);
    this.skip(character.length);
    return character;
  }

  /** What the expression matches here, which is passed over. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#rest);
    if (found === null) return undefined;
    this.skip(found[0].length);
    return found;
  }
}

interface Repeat {
  readonly text: string;
  readonly min: number;
  /** Undefined where there is no bound. */
  readonly max: number | undefined;
  /** Written with numbers. */
  readonly counted: boolean;
}

function readRepeat(text: Cursor): Repeat | undefined {
  const simple = text.match(/^[*+?]\??/);
  if (simple !== undefined) return { text: simple[0], min: 0, max: undefined, counted: false };
  const counted = text.match(/^\{(0|[1-9]\d*)(?:(,)(0|[1-9]\d*)?)?\}/);
  if (counted === undefined) return undefined;
  const [whole, least = '', comma, most] = counted;
  const min = Number(least);
  const max = comma === undefined ? min : most === undefined ? undefined : Number(most);
  if (min > MOST_REPEATS || (max !== undefined && (max > MOST_REPEATS || min > max))) {
    throw new Re2SyntaxError(`${whole} must repeat 0 to ${MOST_REPEATS} times, the smaller number first`);
  }
  text.match(/^\?/);
  return { text: whole, min, max, counted: true };
}

function repeatsOf({ text, min, max, counted }: Repeat, inner: number): number {
  if (!counted || max === 0) return counted ? 1 : inner;
  const repeats = Math.max(1, max ?? min) * inner;
  if (repeats > MOST_REPEATS && (min >= 2 || (max ?? 0) >= 2)) {
    throw new Re2SyntaxError(
      `${text} and what it repeats must repeat at most ${MOST_REPEATS} times together`,
    );
  }
  return repeats;
}

/** What follows `(` where that is a `?`. */
function readGroup(text: Cursor, names: Set<string>): 'capture' | 'plain' | 'flags' {
  const start = text.rest.slice(0, 8);
  const named = text.match(/^\?P?<([A-Za-z0-9_]+)>/);
  if (named !== undefined) {
    const [, name = ''] = named;
    if (names.has(name)) throw new Re2SyntaxError(`two groups of the name ${name}`);
    names.add(name);
    return 'capture';
  }
  const flags = text.match(/^\?[imsU]*(?:-[imsU]+)?([:)])/);
  if (flags === undefined) throw new Re2SyntaxError(`(${start} is not known: there is no look-around`);
  return flags[1] === ':' ? 'plain' : 'flags';
}

function readClass(text: Cursor): void {
  text.match(/^\^/);
  for (let first = true; first || !text.ahead(']'); first = false) {
    if (!text.more()) throw new Re2SyntaxError('a [ without its ]');
    const posix = text.match(/^\[:[^]*?:\]/);
    if (posix !== undefined) {
      if (!POSIX_CLASS.test(posix[0])) throw new Re2SyntaxError(`${posix[0]} is no known class`);
      continue;
    }
    if (readUnicodeClass(text) || text.match(new RegExp(`^\\\\[${PERL_CLASSES}]`)) !== undefined) continue;
    const low = readClassCharacter(text);
    if (!text.ahead('-') || text.ahead('-]')) continue;
    text.skip(1);
    if (readClassCharacter(text) < low) throw new Re2SyntaxError('a range in [] that ends before it begins');
  }
  text.skip(1);
}

/** Code point of a character within a class. */
function readClassCharacter(text: Cursor): number {
  if (!text.more()) throw new Re2SyntaxError('a [ without its ]');
  const character = text.take();
  return character === '\\' ? readCharacterEscape(text) : (character.codePointAt(0) ?? 0);
}

/** What follows `\` outside of classes; false where it is nothing that can be repeated. */
function readEscape(text: Cursor): boolean {
  const quoted = text.match(/^Q([^]*?)(?:\\E|$)/);
  if (quoted !== undefined) return quoted[1] !== '';
  if (text.match(new RegExp(`^[${ASSERTIONS}${PERL_CLASSES}]`)) !== undefined) return true;
  if (/^[pP]/.test(text.rest)) {
    readUnicodeName(text);
    return true;
  }
  readCharacterEscape(text);
  return true;
}

function readUnicodeClass(text: Cursor): boolean {
  if (!/^\\[pP]/.test(text.rest)) return false;
  text.skip(1);
  readUnicodeName(text);
  return true;
}

function readUnicodeName(text: Cursor): void {
  const [whole = '', braced, single] = text.match(/^[pP](?:\{([^}]*)\}|([^{]))/u) ?? [];
  const name = (braced ?? single ?? '').replace(/^\^/, '');
  if (!CATEGORY.test(name) && !isScript(name))
    throw new Re2SyntaxError(`\\${whole} is no known class of Unicode`);
}

function isScript(name: string): boolean {
  if (!/^[A-Z][A-Za-z_]+$/.test(name) || (name.length === 4 && !FOUR_LETTER_SCRIPTS.has(name))) return false;
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}

/** Code point of what follows `\` where that stands for one character. */
function readCharacterEscape(text: Cursor): number {
  const octal = text.match(/^(?:0[0-7]{0,2}|[1-7][0-7]{1,2})/);
  if (octal !== undefined) return Number.parseInt(octal[0], 8);
  const hex = text.match(/^x(?:([0-9A-Fa-f]{2})|\{([0-9A-Fa-f]+)\})/);
  if (hex !== undefined) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
    if (code > 0x10ffff) throw new Re2SyntaxError(`\\${hex[0]} is above U+10FFFF`);
    return code;
  }
  const character = text.take();
  const code = character.codePointAt(0);
  const isPlain = code !== undefined && code < 0x80 && !/[A-Za-z0-9]/.test(character);
  if (code === undefined) throw new Re2SyntaxError('a \\ at its end');
  if (isPlain) return code;
  const control = CONTROLS.indexOf(character);
  if (control === -1)
    throw new Re2SyntaxError(
      `\\${character} is not known${/[1-9]/.test(character) ? ': there are no back-references' : ''}`,
    );
  return '\u0007\f\n\r\t\v'.charCodeAt(control);
}
