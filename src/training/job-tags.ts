import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';
import { MAX_TAGS, tagProblem } from '../run/resource-tags.ts';

/** Tags that the application adds to a job. */
const OWN_TAGS = 5;

type Tags = Readonly<Record<string, string>>;

/** Problems of `training.tags`, next to which a job has the stack's. */
export function tagProblems(tags: Tags, stackTags: Tags): Problem[] {
  const about = { file: 'pipeline.json', field: 'training.tags' };
  const entries = Object.entries(tags);
  const problems = entries.flatMap(([key, value]) => {
    const message = tagProblem(key, value);
    return message === undefined
      ? []
      : [{ ...about, field: `${about.field}.${key}`, value: toShownValue(value), message }];
  });
  const most = MAX_TAGS - OWN_TAGS - Object.keys(stackTags).length;
  const count = entries.filter(([key]) => !Object.hasOwn(stackTags, key)).length;
  if (count <= most) return problems;
  const message =
    `must have at most ${most} tags, has ${count}: SageMaker takes ${MAX_TAGS}, and the application and the ` +
    'stack have theirs';
  return [...problems, { ...about, value: '', message }];
}
