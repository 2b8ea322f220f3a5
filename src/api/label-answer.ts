import type { ServedVariant } from '../endpoint/served.ts';
import type { TaskResponse } from '../tasks/response.ts';
import { TASKS } from '../tasks/tasks.ts';
import { RequestProblem } from './problem-details.ts';

/** The facts of a plan that are needed to read an endpoint's answer. */
export type LabelFacts = Pick<
  ServedVariant,
  'task' | 'classes' | 'classOffset' | 'scores' | 'threshold' | 'single' | 'ids' | 'topK'
>;

const UNREADABLE = new Set(['OutputError', 'ClassCountMismatch', 'TooManyLabels']);

/**
 * Reads the container's answer by the same rules as a run's predictions, with the names of classes.
 *
 * @throws {RequestProblem} `unreadable-answer` if the pipeline's task can't read it
 */
export function labelAnswer(
  body: Uint8Array,
  facts: LabelFacts,
  { oneRecord, input }: { readonly oneRecord: boolean; readonly input: string | null },
): readonly TaskResponse[] {
  const { task, classes, classOffset, single, topK } = facts;
  const shape = { scoreCount: classes.length - classOffset, oneRecord, single };
  try {
    return TASKS[task].responses(body, { labels: facts, topK, shape }, input);
  } catch (error) {
    if (!(error instanceof Error) || !UNREADABLE.has(error.name)) throw error;
    const detail = `${error.message}. Ask with ?raw=1 for the answer as the container returned it`;
    throw new RequestProblem('unreadable-answer', detail);
  }
}
