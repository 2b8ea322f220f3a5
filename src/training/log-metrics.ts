import { RE2JS } from 're2js';
import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';
import type { TrainingPlan } from './training-plan.ts';

/** CreateTrainingJob's bounds. */
const MAX_METRICS = 40;
const MAX_NAME_LENGTH = 255;
const MAX_REGEX_LENGTH = 500;

/** Problems of `training.metrics`. */
export function metricProblems(metrics: Readonly<Record<string, string>>): Problem[] {
  const entries = Object.entries(metrics);
  const about = { file: 'pipeline.json', field: 'training.metrics' };
  const problems = entries.flatMap(([name, regex]) => {
    const message = metricProblem(name, regex);
    return message === undefined
      ? []
      : [{ ...about, field: `${about.field}.${name}`, value: toShownValue(regex), message }];
  });
  if (entries.length <= MAX_METRICS) return problems;
  const message = `must have at most ${MAX_METRICS} metrics, which is what SageMaker takes, has ${entries.length}: take some out`;
  return [...problems, { ...about, value: '', message }];
}

function metricProblem(name: string, regex: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH)
    return `must have a name of 1 to ${MAX_NAME_LENGTH} characters, has ${name.length}`;
  if (/\p{Cc}/u.test(name + regex))
    return (
      'must have a name and an expression without line breaks and other control characters, which SageMaker does not ' +
      'take: write \\t for a tab'
    );
  if (regex === '' || regex.length > MAX_REGEX_LENGTH)
    return `must be an expression of 1 to ${MAX_REGEX_LENGTH} characters, has ${regex.length}: shorten it`;
  try {
    if (RE2JS.compile(regex).groupCount() > 0) return undefined;
    return 'must have a group for the value: write "loss: ([0-9.]+)" instead of "loss: [0-9.]+"';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `must be an RE2 regular expression (${reason}): https://github.com/google/re2/wiki/Syntax lists them, there is no look-ahead`;
  }
}

/** Reads the values of metrics in a line of a log: the first match of each metric; null if its group is not a finite number. */
export type ReadMetrics = (
  line: string,
) => readonly { readonly name: string; readonly value: number | null; readonly isNaN: boolean }[];

/** Spelling of a value that is not a finite number, as Python, C and JavaScript print it. */
const NOT_FINITE = /nan|inf/i;

/** @param metrics without problems by `metricProblems` */
export function readsMetrics(metrics: TrainingPlan['metrics']): ReadMetrics {
  const compiled = metrics.map(({ name, regex }) => ({
    name,
    regex: RE2JS.compile(regex),
    notFinite: withoutNumber(regex),
  }));
  return (line) =>
    compiled.flatMap(({ name, regex, notFinite }) => {
      const text =
        groupIn(line, regex) ?? (NOT_FINITE.test(line) && notFinite ? groupIn(line, notFinite) : undefined);
      if (text === undefined) return [];
      const value = text === '' ? Number.NaN : Number(text);
      return [{ name, value: Number.isFinite(value) ? value : null, isNaN: /^[-+]?nan$/i.test(text) }];
    });
}

/** The first group of a match; undefined without one. */
function groupIn(line: string, regex: RE2JS): string | undefined {
  const matcher = regex.matcher(line);
  return matcher.find() ? (matcher.group(1) ?? '').trim() : undefined;
}

/**
 * The same expression for a line in which NaN or an infinity stands in the place of the number: "loss: ([0-9.]+)" does not
 * match "loss: nan".
 */
function withoutNumber(regex: string): RE2JS | undefined {
  const open = firstGroup(regex);
  if (open === undefined || regex.includes('\\Q')) return undefined;
  let depth = 0;
  for (let at = open; at < regex.length; at++) {
    if (regex[at] === '\\') at++;
    else if (regex[at] === '[') at = endOfClass(regex, at);
    else if (regex[at] === '(') depth++;
    else if (regex[at] === ')' && --depth === 0)
      return RE2JS.compile(`${regex.slice(0, open)}([-+]?(?i:nan|inf(?:inity)?)\\b)${regex.slice(at + 1)}`);
  }
  return undefined;
}

/** Index of the parenthesis that opens the first group that captures. */
function firstGroup(regex: string): number | undefined {
  for (let at = 0; at < regex.length; at++) {
    if (regex[at] === '\\') at++;
    else if (regex[at] === '[') at = endOfClass(regex, at);
    else if (regex[at] === '(' && (regex[at + 1] !== '?' || /^\(\?P?</.test(regex.slice(at)))) return at;
  }
  return undefined;
}

/** Index of the bracket that closes a class; one that comes first in it is a member. */
function endOfClass(regex: string, open: number): number {
  let at = open + (regex[open + 1] === '^' ? 2 : 1);
  if (regex[at] === ']') at++;
  for (; at < regex.length && regex[at] !== ']'; at++) {
    if (regex[at] === '\\') at++;
    else if (regex.startsWith('[:', at)) at = regex.indexOf(':]', at) + 1;
  }
  return at;
}
