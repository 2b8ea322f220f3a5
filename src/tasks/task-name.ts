import * as z from 'zod';

/** Names of the tasks that answers are judged as; "none" if nobody judges them. */
export const TaskName = z.enum(['classification', 'none']);
export type TaskName = z.infer<typeof TaskName>;
