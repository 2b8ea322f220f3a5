import jsonata from 'jsonata';
import type { Clock } from '../../kernel/clock.ts';
import { type Chance, hash, parse, partition, range, seededRandom } from './functions.ts';
import { interruptibleRegex } from './interruptible-regex.ts';

/** The expression inside `{% … %}`, or undefined for a plain string. */
export function expressionIn(text: string): string | undefined {
  return text.startsWith('{%') && text.endsWith('%}') && text.length >= 4
    ? text.slice(2, -2).trim()
    : undefined;
}

interface Surroundings {
  readonly clock: Clock;
  readonly chance: Chance;
  /**
   * How long one expression, or one search by a regular expression in it, may take by the computer's clock: no other work of the
   * stack goes on meanwhile.
   */
  readonly longestEvaluationMs?: number;
}

/** Nested evaluations, about four for each call of a function: what a recursion without end reaches before it fills the memory. */
const DEEPEST_EVALUATION = 20_000;

/** Evaluates one expression; rejects with JSONata's error, which `describeJsonataError` describes. */
export type CompiledExpression = (bindings: Readonly<Record<string, unknown>>) => Promise<unknown>;

const momentFormat = jsonata('$fromMillis($ms, $picture, $zone)');

/** Compiles once per text. Times come from the clock, chance is handed in, and `$eval` is closed, as in Step Functions. */
export function expressionCompiler({
  clock,
  chance,
  longestEvaluationMs = 60_000,
}: Surroundings): (source: string) => CompiledExpression {
  const compiled = new Map<string, CompiledExpression>();
  return (source) => {
    const known = compiled.get(source);
    if (known) return known;
    const expression = jsonata(source, {
      timeout: longestEvaluationMs,
      stack: DEEPEST_EVALUATION,
      RegexEngine: interruptibleRegex(longestEvaluationMs),
    });
    expression.registerFunction('partition', partition, '<a-n:a>');
    expression.registerFunction('range', range, '<nnn:a<n>>');
    expression.registerFunction('hash', hash, '<s-s:s>');
    expression.registerFunction('parse', parse, '<s-:x>');
    expression.registerFunction('uuid', () => chance.uuid(), '<:s>');
    expression.registerFunction(
      'random',
      (seed?: number) => (seed === undefined ? chance.random() : seededRandom(seed)),
      '<n?:n>',
    );
    expression.registerFunction('millis', () => clock.now(), '<:n>');
    expression.registerFunction(
      'now',
      (picture?: string, zone?: string) =>
        momentFormat.evaluate(undefined, { ms: clock.now(), picture, zone }),
      '<s?s?:s>',
    );
    expression.registerFunction('eval', () => {
      throw new Error('$eval is not supported by Step Functions; use $parse');
    });
    const run: CompiledExpression = (bindings) => expression.evaluate(undefined, bindings);
    compiled.set(source, run);
    return run;
  };
}

/** JSONata's objection to an expression, without its code, or undefined if it parses. */
export function syntaxProblem(source: string): string | undefined {
  try {
    jsonata(source);
    return undefined;
  } catch (error) {
    return describeJsonataError(error).replace(/^[A-Z]\d{4}: /, '');
  }
}

/** JSONata throws plain objects with a code and a message. */
export function describeJsonataError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const message = 'message' in error && typeof error.message === 'string' ? error.message : String(error);
  return 'code' in error && typeof error.code === 'string' ? `${error.code}: ${message}` : message;
}
