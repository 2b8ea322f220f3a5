import { AwsError } from '../kernel/aws-error.ts';
import { jsonOrUndefined } from '../kernel/json.ts';

/** Says whether a log message matches. */
type LogFilter = (message: string) => boolean;

/**
 * Reads a filter pattern: terms (`ERROR "two words"` all of them, `?a ?b` any of them, `-x` not this one) or a JSON selector
 * (`{ $.level = "ERROR" }`), which only JSON messages match.
 *
 * @throws {AwsError} `InvalidParameterException` for space-delimited and regular-expression patterns
 */
export function parseFilterPattern(pattern: string): LogFilter {
  const text = pattern.trim();
  if (text === '') return () => true;
  if (text.startsWith('{') && text.endsWith('}')) {
    const selects = parseJsonSelector(text.slice(1, -1));
    return (message) => {
      const value = parsedOrNothing(message);
      return value !== undefined && selects(value);
    };
  }
  if (text.startsWith('[') || text.includes('%'))
    throw new AwsError(
      'InvalidParameterException',
      `filterPattern ${JSON.stringify(pattern)}: this stack understands terms ("quoted" or bare, ?any, -none) and ` +
        'JSON selectors, not space-delimited or regular-expression patterns',
    );
  const terms = [...text.matchAll(/([?-]?)(?:"((?:[^"\\]|\\.)*)"|(\S+))/g)].map(([, sign, quoted, bare]) => ({
    sign: sign ?? '',
    term: quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/g, '$1'),
  }));
  const all = terms.filter(({ sign }) => sign === '').map(({ term }) => term);
  const any = terms.filter(({ sign }) => sign === '?').map(({ term }) => term);
  const none = terms.filter(({ sign }) => sign === '-').map(({ term }) => term);
  return (message) =>
    all.every((term) => message.includes(term)) &&
    (any.length === 0 || any.some((term) => message.includes(term))) &&
    !none.some((term) => message.includes(term));
}

/** A message that is not a JSON object matches nothing, not even NOT EXISTS. */
function parsedOrNothing(message: string): unknown {
  return message.startsWith('{') ? jsonOrUndefined(message) : undefined;
}

/** Says whether a JSON message matches. */
type JsonSelector = (value: unknown) => boolean;

const COMPARISON = /^\s*\$((?:\.[\w-]+)+)\s*=\s*(?:"((?:[^"\\*]|\\.)*)"|([\w.-]+))\s*$/;

/**
 * Reads what stands between the braces of a JSON filter pattern: `$.path = "text"` or `$.path = 3`, several of them joined by `&&`.
 *
 * @throws {AwsError} `InvalidParameterException`
 */
function parseJsonSelector(text: string): JsonSelector {
  const parts = text.split(/&&(?=\s*\$\.)/).map((part) => {
    const [, path = '', quoted, bare = ''] = COMPARISON.exec(part) ?? [];
    if (path === '')
      throw new AwsError(
        'InvalidParameterException',
        `filterPattern {${text}}: this stack understands comparisons like $.level = "ERROR", joined by &&`,
      );
    const number = quoted === undefined ? Number(bare) : Number.NaN;
    const wanted = Number.isNaN(number) ? (quoted?.replaceAll(/\\(.)/g, '$1') ?? bare) : number;
    return { steps: path.split('.').slice(1), wanted };
  });
  return (value) => parts.every(({ steps, wanted }) => memberAt(value, steps) === wanted);
}

function memberAt(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? Reflect.get(inner, step)
        : undefined,
    value,
  );
}
