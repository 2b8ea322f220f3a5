/** A value of JSON; numbers beyond the range of doubles are infinite. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Cap on the nesting of documents that are read again, far above any real one's: readers recurse for each level. */
const MAX_DEPTH = 1000;
/** Texts, marks, and words. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/gs;

/**
 * `JSON.parse`, with the names as they are written. The V8 of Node 24 and 26 reads a name with an escape as another one where an
 * object before had the text up to the escape's backslash for a name: after `{"a":0,"\\":0}`, the second name of `{"a":0,"\"":0}`
 * becomes `\` (nodejs/node#63785). What is misread has a backslash in a name, so that only such text is read again, by its tokens.
 *
 * @throws {SyntaxError} if the text is not JSON, or has a backslash in a name and is nested more than 1,000 levels deep
 */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  return mayBeMisread(text, value) ? readTokens(text.match(TOKEN) ?? []) : value;
}

/** JSON without the blanks between its parts; numbers keep all of their digits. */
export function compactJson(text: string): string {
  return text.match(TOKEN)?.join('') ?? '';
}

/** The value of a text that may be JSON; undefined if it is not. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Whether `JSON.parse` may have misread a name in a text. */
export function mayBeMisread(text: string, value: Json): boolean {
  return text.includes('\\') && hasBackslash(value);
}

function hasBackslash(value: Json): boolean {
  const open = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each === null || typeof each !== 'object') continue;
    if (!isList(each) && Object.keys(each).some((name) => name.includes('\\'))) return true;
    for (const inner of Object.values(each)) open.push(inner);
  }
  return false;
}

/** Whether a value is a list. */
export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of valid JSON, with each name parsed on its own. */
function readTokens(tokens: readonly string[]): Json {
  let at = 0;
  const read = (depth: number): Json => {
    if (depth > MAX_DEPTH) throw new SyntaxError(`it is nested more than ${MAX_DEPTH} levels deep`);
    const token = tokens[at++] ?? '';
    if (token !== '{' && token !== '[') return JSON.parse(token);
    const items: Json[] = [];
    const names: string[] = [];
    for (; !/^[}\]]$/.test(tokens[at] ?? '}'); at += tokens[at] === ',' ? 1 : 0) {
      if (token === '{') {
        names.push(String(JSON.parse(tokens[at] ?? '')));
        at += 2;
      }
      items.push(read(depth + 1));
    }
    at++;
    return token === '['
      ? items
      : Object.fromEntries(names.map((name, index) => [name, items[index] ?? null]));
  };
  return read(0);
}
