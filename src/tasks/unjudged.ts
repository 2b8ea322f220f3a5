import type { TaskName } from './task-name.ts';

/** Reason, in words for people, for which a task's answers aren't judged; null if they are. */
export const UNJUDGED: Readonly<Record<TaskName, string | null>> = {
  classification: null,
  none: '"labels" is null',
};
