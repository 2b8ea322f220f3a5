import { AwsError } from '../kernel/aws-error.ts';
import { wildcardMatcher } from '../pattern/wildcard.ts';

/** Says whether a JSON message matches. */
export type JsonSelector = (value: unknown) => boolean;

const TOKEN =
  /\s*(?:(?<mark>&&|\|\||!=|<=|>=|[()=<>])|(?<path>\$(?:\.[\w-]+|\[\d+\])*)|(?<word>IS NULL|IS TRUE|IS FALSE|NOT EXISTS)|"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s()=<>!&|]+))/y;

type Token = Readonly<Record<'mark' | 'path' | 'word' | 'quoted' | 'bare', string | undefined>>;

/**
 * Reads what stands between the braces of a JSON filter pattern: comparisons of `$.paths` with text (`*` stands for anything),
 * numbers, `IS NULL`, `IS TRUE`, `IS FALSE` and `NOT EXISTS`, joined by `&&`, `||` and parentheses.
 *
 * @throws {AwsError} `InvalidParameterException`
 */
export function parseJsonSelector(text: string): JsonSelector {
  const tokens = tokensOf(text);
  let position = 0;
  const problem = (): AwsError =>
    new AwsError(
      'InvalidParameterException',
      `filterPattern {${text}}: not understood at element ${position + 1}`,
    );
  const accept = (mark: string): boolean => {
    if (tokens[position]?.mark !== mark) return false;
    position += 1;
    return true;
  };
  const parseAny = (): JsonSelector => {
    const alternatives = [parseAll()];
    while (accept('||')) alternatives.push(parseAll());
    return (value) => alternatives.some((matches) => matches(value));
  };
  const parseAll = (): JsonSelector => {
    const parts = [parseOne()];
    while (accept('&&')) parts.push(parseOne());
    return (value) => parts.every((matches) => matches(value));
  };
  const parseOne = (): JsonSelector => {
    if (accept('(')) {
      const inner = parseAny();
      if (!accept(')')) throw problem();
      return inner;
    }
    const path = tokens[position]?.path;
    if (path === undefined) throw problem();
    position += 1;
    const read = reader(path);
    const next = tokens[position++];
    if (next?.word !== undefined) return matcherOfWord(next.word, read);
    const operand = tokens[position++];
    const compare = next?.mark === undefined || !operand ? undefined : comparison(next.mark, operand);
    if (!compare) throw problem();
    return (value) => compare(read(value));
  };
  const selector = parseAny();
  if (position < tokens.length) throw problem();
  return selector;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  const source = text.trim();
  while (pattern.lastIndex < source.length) {
    const { groups } = pattern.exec(source) ?? {};
    if (!groups) throw new AwsError('InvalidParameterException', `filterPattern {${text}}: not understood`);
    const { mark, path, word, quoted, bare } = groups;
    tokens.push({ mark, path, word, quoted, bare });
  }
  return tokens;
}

function reader(path: string): (value: unknown) => unknown {
  const steps = [...path.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? index ?? '');
  return (value) =>
    steps.reduce<unknown>(
      (inner, step) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
          ? Reflect.get(inner, step)
          : undefined,
      value,
    );
}

function matcherOfWord(word: string, read: (value: unknown) => unknown): JsonSelector {
  switch (word) {
    case 'IS NULL':
      return (value) => read(value) === null;
    case 'NOT EXISTS':
      return (value) => read(value) === undefined;
    default:
      return (value) => read(value) === (word === 'IS TRUE');
  }
}

function comparison(mark: string, { quoted, bare }: Token): ((found: unknown) => boolean) | undefined {
  const number = Number(bare);
  const text = quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1');
  const numeric = quoted === undefined && !Number.isNaN(number);
  const equals = numeric ? (found: unknown): boolean => found === number : textMatcher(text);
  switch (mark) {
    case '=':
      return equals;
    case '!=':
      return (found) => found !== undefined && !equals(found);
    case '<':
      return numeric ? (found) => typeof found === 'number' && found < number : undefined;
    case '<=':
      return numeric ? (found) => typeof found === 'number' && found <= number : undefined;
    case '>':
      return numeric ? (found) => typeof found === 'number' && found > number : undefined;
    case '>=':
      return numeric ? (found) => typeof found === 'number' && found >= number : undefined;
    default:
      return undefined;
  }
}

function textMatcher(text: string): (found: unknown) => boolean {
  const matches = wildcardMatcher(text.replaceAll('\\', '\\\\').replaceAll(/\*+/g, '*'), text);
  return (found) => typeof found === 'string' && matches(found);
}
