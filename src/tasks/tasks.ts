import { classification } from './classification/task.ts';
import { none } from './none/task.ts';
import type { Task } from './task.ts';
import type { TaskName } from './task-name.ts';

/** The tasks by name. */
export const TASKS: Readonly<Record<TaskName, Task>> = { classification, none };
