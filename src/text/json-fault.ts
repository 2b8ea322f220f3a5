/** The first place where a text is not JSON or has a name twice, and the fault there. */
export interface JsonFault {
  /** 1, 2, … */
  readonly line: number;
  readonly column: number;
  /** A clause, with the remedy. */
  readonly what: string;
}

/** Marks of JSON, texts in quotes, and words. */
const TOKEN =
  /[{}[\],:]|"(?:[^"\\\p{Cc}\u2028]|[\u007f-\u009f\u2028]|\\["\\/bfnrt]|\\u[\da-fA-F]{4})*"|[\w.+-]+/uy;
const VALUE = /^(?:"|true$|false$|null$|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$)/;
const SPACE = /[ \t\r\n]*/y;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** An object or list that has begun, and the names of its members so far, in order. */
interface Open {
  readonly mark: string;
  readonly at: number;
  readonly names: Map<string, number>;
  /** The member that is being read; undefined in a list. */
  name?: string;
}

/**
 * The first syntax error or duplicate key of a text. (`JSON.parse` silently keeps the last duplicate.) Undefined if there is none.
 * The engine's own errors often lack the place, and have no remedy.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: Open[] = [];
  let expected: 'value' | 'name' | 'colon' | 'end' = 'value';
  let isFirst = false;
  let at = 0;
  const fault = (place: number, what: string): JsonFault => {
    const lines = text.slice(0, place).split('\n');
    return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, what };
  };
  for (;;) {
    SPACE.lastIndex = at;
    if (SPACE.test(text)) at = SPACE.lastIndex;
    const inner = open.at(-1);
    if (at === text.length) {
      if (inner !== undefined) return fault(inner.at, `this ${inner.mark} has no ${CLOSING[inner.mark]}`);
      return expected === 'end' ? undefined : fault(at, 'the file is empty');
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.test(text) ? text.slice(at, TOKEN.lastIndex) : undefined;
    if (token === undefined || (expected === 'end' && inner === undefined))
      return fault(at, strayText(text, at));
    if (inner !== undefined && token === CLOSING[inner.mark] && (expected === 'end' || isFirst)) {
      open.pop();
      expected = 'end';
    } else if (expected === 'end') {
      if (token !== ',') return fault(at, 'a comma is missing before this');
      expected = inner?.mark === '{' ? 'name' : 'value';
    } else if (token === '}' || token === ']' || token === ',')
      return fault(at, `a ${expected} is missing before ${token}, or a comma is too much`);
    else if (expected === 'colon') {
      if (token !== ':') return fault(at, 'a colon is missing before this');
      expected = 'value';
    } else if (expected === 'name') {
      if (!token.startsWith('"') || inner === undefined) return fault(at, strayText(text, at));
      inner.name = String(JSON.parse(token));
      const first = inner.names.get(inner.name);
      if (first !== undefined) {
        const path = open.flatMap(({ name }) => name ?? []).join('.');
        return fault(
          at,
          `${path} is here again, and first in line ${fault(first, '').line}: remove one of them`,
        );
      }
      inner.names.set(inner.name, at);
      expected = 'colon';
    } else if (token in CLOSING) {
      open.push({ mark: token, at, names: new Map() });
      expected = token === '{' ? 'name' : 'value';
    } else if (VALUE.test(token)) expected = 'end';
    else return fault(at, strayText(text, at));
    isFirst = token in CLOSING;
    at += token.length;
  }
}

/** Explanation of text that JSON doesn't allow at this place, with a guess at the intended text. */
function strayText(text: string, at: number): string {
  const rest = text.slice(at, at + 40);
  const [word = ''] = /^[\w.+-]*/.exec(rest) ?? [];
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments: remove this one';
  if (/^['`‘’“”«„]/.test(rest)) return 'names and texts must be in straight double quotes (")';
  if (rest.startsWith('"'))
    return 'this text must end on its line with a double quote, and a backslash in it is written twice (\\\\)';
  if (/^(?:true|false|null|none|undefined|nan)$/i.test(word))
    return `${word} is not true, false or null, as JSON has them`;
  if (word !== '') return `${word} must be in double quotes, or a number such as 0.5`;
  return `${JSON.stringify(Array.from(rest)[0])} does not belong here`;
}
