import { PatternProblem } from './pattern-problem.ts';

/**
 * Matches text against a pattern in which `*` stands for any run of characters, `\*` for a star and `\\` for a backslash.
 * Time grows with the text's length times the number of stars: no regular expression, so nothing to blow up.
 *
 * @throws {PatternProblem} for another escape, or `**`
 */
export function wildcardMatcher(pattern: string, path: string): (text: string) => boolean {
  const parts = splitAtStars(pattern, path);
  const [first = '', ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let position = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, position);
      if (found === -1) return false;
      position = found + part.length;
    }
    return text.length - last.length >= position && text.endsWith(last);
  };
}

function splitAtStars(pattern: string, path: string): string[] {
  const parts = [''];
  const append = (char: string): void => void (parts[parts.length - 1] += char);
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern.charAt(index);
    if (char === '*') {
      if (pattern.charAt(index + 1) === '*')
        throw new PatternProblem(path, 'consecutive wildcards are not allowed');
      parts.push('');
    } else if (char === '\\') {
      index += 1;
      const escaped = pattern.charAt(index);
      if (escaped !== '*' && escaped !== '\\') throw new PatternProblem(path, `invalid escape \\${escaped}`);
      append(escaped);
    } else append(char);
  }
  return parts;
}
