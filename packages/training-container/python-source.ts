/**
 * One string or comment of Python; a string of three quotes may go over lines. One that is not closed goes to the end of its
 * line, or of the text.
 */
const TOKEN =
  /'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|#[^\n]*/g;

/**
 * Lines (from 1) with the literal in a string within the parentheses of a call.
 *
 * @param calls - stops before the opening parenthesis; global
 * @param before - if the text in front of the call matches, the call doesn't count
 */
export function callsWithLiteral(
  text: string,
  calls: RegExp,
  before: RegExp,
  literal: RegExp,
): readonly number[] {
  const strings = text.replaceAll(TOKEN, (token) => (token.startsWith('#') ? blank(token) : token));
  const code = text.replaceAll(TOKEN, blank);
  const lines = new Set<number>();
  for (const call of code.matchAll(calls)) {
    const open = call.index + call[0].length;
    const lead = code.slice(0, call.index) + (call[0].startsWith('.') ? '.' : '');
    if (before.test(lead.slice(-20))) continue;
    const found = literal.exec(strings.slice(open, closing(code, open)));
    if (found) lines.add(text.slice(0, open + found.index).split('\n').length);
  }
  return [...lines].sort((a, b) => a - b);
}

/** Spaces, so that every place keeps its index. */
function blank(token: string): string {
  return ' '.repeat(token.length);
}

/** Behind the parenthesis that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return code.length;
}
