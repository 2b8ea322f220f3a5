import { refuseJudging } from './none/refused-settings.ts';
import type { RefuseSettings } from './task.ts';
import type { TaskName } from './task-name.ts';

/** Settings that tasks don't take. */
export const REFUSED_SETTINGS: Readonly<Record<TaskName, RefuseSettings>> = {
  classification: () => [],
  none: refuseJudging,
};
