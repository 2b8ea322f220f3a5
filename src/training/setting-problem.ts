import { toShownValue } from '../pipeline/shown-value.ts';
import type { Problem } from '../problem/problem.ts';

/** A defect of a field of `training` in pipeline.json. */
export function settingProblem(field: string, value: unknown, message: string): Problem {
  return { file: 'pipeline.json', field: `training.${field}`, value: toShownValue(value), message };
}
