import type { Problem } from '../problem/problem.ts';
import { refuseJudging } from './none/refused-settings.ts';
import type { TaskName } from './task-name.ts';

/**
 * Problems of the settings of a file that a task doesn't take.
 *
 * @param valueOf the value of a field as it was written; undefined if it was left out
 */
export type RefuseSettings = (file: string, valueOf: (field: string) => unknown) => readonly Problem[];

/** Settings that tasks don't take. */
export const REFUSED_SETTINGS: Readonly<Record<TaskName, RefuseSettings>> = {
  classification: () => [],
  none: refuseJudging,
};
