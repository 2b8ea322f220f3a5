import { RE2JS } from 're2js';

/** Whether a whole text matches a pattern of a service model, by the rules of Java's `Matcher.matches`. */
export type Matches = (text: string) => boolean;

const compiled = new Map<string, Matches>();

/** Compiles a pattern of a service model, which is written in Java's syntax; each once. */
export function compilePattern(pattern: string): Matches {
  const known = compiled.get(pattern);
  if (known) return known;
  const matches = needsBacktracking(pattern) ? native(pattern) : linear(pattern);
  compiled.set(pattern, matches);
  return matches;
}

/** Lookarounds, and more than 1,000 repetitions: what RE2 cannot express. */
export function needsBacktracking(pattern: string): boolean {
  return /\(\?<?[!=]/.test(pattern) || /\{(?:\d*,)?\d{4,}\}/.test(pattern);
}

/** RE2 takes time in proportion to the text, whatever the pattern. */
function linear(pattern: string): Matches {
  const expression = RE2JS.compile(
    javaClasses(pattern)
      .replace(/\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/gi, (_, high, low) => codePoint(high, low))
      .replace(/\\u([0-9a-f]{4})/gi, '\\x{$1}'),
  );
  return (text) => expression.matches(text);
}

function native(pattern: string): Matches {
  const expression = new RegExp(`^(?:${javaClasses(pattern)})$`, 'u');
  return (text) => expression.test(text);
}

/** The POSIX classes of Java, as ASCII ranges. The models name letters and digits inside brackets only. */
function javaClasses(pattern: string): string {
  return pattern
    .replace(/\[\\p\{Print\}\]|\\p\{Print\}/g, '[\\x20-\\x7e]')
    .replace(/\[\\p\{ASCII\}\]|\\p\{ASCII\}/g, '[\\x00-\\x7f]')
    .replaceAll('\\p{Alnum}', 'a-zA-Z0-9');
}

function codePoint(high: string, low: string): string {
  const point = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0;
  return `\\x{${point.toString(16)}}`;
}
