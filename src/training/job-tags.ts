import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';
import { toTagValue } from '../text/tag-value.ts';

/** SageMaker's bounds of a resource's tags; the application adds five. */
const MAX_TAGS = 45;
const KEY = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u;

/** Problems of `training.tags`. */
export function tagProblems(tags: Readonly<Record<string, string>>): Problem[] {
  const about = { file: 'pipeline.json', field: 'training.tags' };
  const entries = Object.entries(tags);
  const problems = entries.flatMap(([key, value]) => {
    const message = tagProblem(key, value);
    return message === undefined
      ? []
      : [{ ...about, field: `${about.field}.${key}`, value: toShownValue(value), message }];
  });
  if (entries.length <= MAX_TAGS) return problems;
  const message = `must have at most ${MAX_TAGS} tags, has ${entries.length}: SageMaker takes 50, and the application has its own`;
  return [...problems, { ...about, value: '', message }];
}

function tagProblem(key: string, value: string): string | undefined {
  if (/^(?:aws|inferdrop):/i.test(key))
    return 'must not begin with aws: or inferdrop:, which are kept for AWS and this application: rename it';
  if (!KEY.test(key))
    return 'must have a key of 1 to 128 letters, digits, spaces and _ . : / = + - @: rename it';
  if (toTagValue(value) !== value)
    return 'must be letters, digits, spaces and _ . : / = + - @ alone: change the value';
  return undefined;
}
