import { Unconvertible } from './trees-refused.ts';

/**
 * Reads JSON as C++ writes it: NaN becomes null, and Infinity stays infinite.
 *
 * @throws {Unconvertible}
 */
export function readJson(text: string): unknown {
  const plain = Array.from(
    piecesOf(text),
    ({ outside, quoted }) =>
      outside.replaceAll(/\bNaN\b|\bInfinity\b/g, (word) => (word === 'NaN' ? 'null' : '1e999')) + quoted,
  ).join('');
  try {
    const document: unknown = JSON.parse(plain);
    return document;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Unconvertible(
      `is damaged: it is no JSON (${error.message}). Save it again from the library that trained it`,
    );
  }
}

/** The first of these names that is a member of the outermost object, if any. */
export function outermostName<Name extends string>(text: string, names: readonly Name[]): Name | undefined {
  let depth = 0;
  for (const { outside, quoted } of piecesOf(text)) {
    for (const character of outside)
      if (character === '{' || character === '[') depth += 1;
      else if (character === '}' || character === ']') depth -= 1;
    if (depth < 1) return undefined;
    const found = names.find((name) => quoted === `"${name}"`);
    if (found !== undefined && depth === 1 && /[{,]\s*$/.test(outside)) return found;
  }
  return undefined;
}

/** Each text in quotes, with the characters before it. */
function* piecesOf(text: string): Generator<{ readonly outside: string; readonly quoted: string }> {
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('"', at);
    let close = open === -1 ? text.length : open + 1;
    while (close < text.length && text[close] !== '"') close += text[close] === '\\' ? 2 : 1;
    yield {
      outside: text.slice(at, open === -1 ? undefined : open),
      quoted: open === -1 ? '' : text.slice(open, close + 1),
    };
    at = close + 1;
  }
}
