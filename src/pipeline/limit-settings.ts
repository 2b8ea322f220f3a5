import * as z from 'zod';

/** Limits on the cost and the duration of a run: past a limit no job is started, past 120 % of it the running job is stopped. */
export const LimitSettings = z.strictObject({
  maxCostUsd: z
    .number()
    .positive()
    .describe('US dollars a run may cost. Null: no bound.')
    .nullable()
    .default(20),
  /** Default: five times the default cap of one run, and far above the cost of the examples. */
  maxCostUsdPerDay: z
    .number()
    .positive()
    .describe(
      'US dollars that the runs of this pipeline may cost on a day (UTC): what ended runs cost and the quotes of those under way. A run ' +
        'that is quoted at more than is left is refused. Null: no bound.',
    )
    .nullable()
    .default(100),
  /**
   * Default: one drop every minute and a half, day and night. A refused drop costs a hundredth of a cent, a planned one five
   * times that.
   */
  maxDropsPerDay: z
    .int()
    .min(1)
    .describe(
      'Drops of this pipeline, and later files for them, that are taken on a day (UTC). Further ones are refused ' +
        'before a file is read, with one message for all: uploading one of their files on another day takes them. ' +
        'Null: no bound.',
    )
    .nullable()
    .default(1_000),
  /** Default: the number of instances of a type that an account commonly has; further runs would wait for instances anyway. */
  maxConcurrentRuns: z
    .int()
    .min(1)
    .max(1_000)
    .describe(
      'Runs of this pipeline at once, from the plan to the message. Others wait for their turn, at most maxRuntimeMinutes.',
    )
    .default(20),
  /** Upper bound, three days: an execution has at most 25,000 events, which last for two weeks of waiting. */
  maxRuntimeMinutes: z
    .number()
    .positive()
    .max(4_320)
    .describe(
      'Minutes from the first job on that a run may take, and before it that it waits for its turn and for an instance.',
    )
    .default(240),
  pilot: z
    .union([z.literal('auto'), z.int().min(0).max(1_000)])
    .describe(
      'Inputs of a first job of their own: the other inputs are processed only if its answers can be read. "auto": 20 where the jobs ' +
        'are quoted at more than ten minutes. 0: none.',
    )
    .default('auto'),
  inputsPerShard: z
    .int()
    .min(1)
    .max(5_000)
    .describe('Most inputs of one function that reads outputs; fewer if these are slow to read.')
    .default(5_000),
});
export type LimitSettings = z.infer<typeof LimitSettings>;

/** The smaller of two bounds; either may be absent. */
export function tighter(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}
