import { AwsError } from '../gateway/aws-error.ts';

/** Says whether a log message matches. */
export type LogFilter = (message: string) => boolean;

/**
 * Reads a filter pattern of terms: `ERROR "two words"` (all of them), `?a ?b` (any of them), `-x` (not this one).
 *
 * @throws {AwsError} `InvalidParameterException` for JSON, space-delimited and regular-expression patterns
 */
export function parseFilterPattern(pattern: string): LogFilter {
  const text = pattern.trim();
  if (text === '') return () => true;
  if (/^[{[]/.test(text) || text.includes('%')) {
    throw new AwsError(
      'InvalidParameterException',
      `filterPattern ${JSON.stringify(pattern)}: this stack understands terms ("quoted" or bare, ?any, -none), not JSON, space-delimited or regular-expression patterns`,
    );
  }
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
