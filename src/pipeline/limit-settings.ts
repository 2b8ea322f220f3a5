import * as z from 'zod';

/** What a run may cost and how long it may take: past it no job is started, past 120 % of it the running job is stopped. */
export const LimitSettings = z.strictObject({
  maxCostUsd: z
    .number()
    .positive()
    .describe('US dollars a run may cost. Null: no bound.')
    .nullable()
    .default(20),
  /** Five runs that cost as much as one may; what none of the examples comes near. */
  maxCostUsdPerDay: z
    .number()
    .positive()
    .describe(
      'US dollars that the runs of this pipeline may cost on a day (UTC): what ended runs cost and the quotes of those under way. A run ' +
        'that is quoted at more than is left is refused. Null: no bound.',
    )
    .nullable()
    .default(100),
  /** As many jobs as an account commonly has instances of a type; more runs would wait for those. */
  maxConcurrentRuns: z
    .int()
    .min(1)
    .max(1_000)
    .describe(
      'Runs of this pipeline at once, from the plan to the message. Others wait for their turn, at most maxRuntimeMinutes.',
    )
    .default(20),
  /** Three days: an execution has 25,000 events, and two weeks with all its waiting. */
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
      'Inputs that go first, in a job of their own: the rest is paid for only where their answers can be read. "auto": 20 where the jobs ' +
        'are quoted at more than ten minutes. 0: none.',
    )
    .default('auto'),
  inputsPerShard: z
    .int()
    .min(1)
    .max(5_000)
    .describe('Inputs whose outputs one function reads; fewer where outputs are slow to read.')
    .default(5_000),
});
export type LimitSettings = z.infer<typeof LimitSettings>;
